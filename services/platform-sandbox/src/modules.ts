import type { ModuleHost, ServedModule } from './module.ts'

/** Every upstream the sandbox serves, built in the order they need each other. */
export function createModules(_host: ModuleHost) {
  return {}
}

export type Modules = ReturnType<typeof createModules>

export function servedModules(modules: Modules): ServedModule[] {
  return Object.values<ServedModule>(modules)
}
