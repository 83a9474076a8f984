import type { ModuleHost, ServedModule } from './module.ts'
import { createTenantModule } from './modules/tenant/module.ts'
import { createThemeModule } from './modules/theme/module.ts'

/** Every upstream the sandbox serves, built in the order they need each other. */
export function createModules(host: ModuleHost) {
  const tenant = createTenantModule(host)
  const theme = createThemeModule(host, { tenant })
  return { tenant, theme }
}

export type Modules = ReturnType<typeof createModules>

export function servedModules(modules: Modules): ServedModule[] {
  return Object.values<ServedModule>(modules)
}
