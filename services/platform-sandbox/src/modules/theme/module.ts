import { problem } from '@melmastoon/domain'
import { themeContract } from '@melmastoon/upstream-contracts/theme'
import type { ModuleHost, ServedModule } from '../../module.ts'
import { createVersion, type ThemeSiblings } from './create-version.ts'
import { publishVersion } from './publish-version.ts'
import { listVersions, peekBrands, readPublished } from './read-theme.ts'
import type { ThemeOperations } from './theme.ts'

export type ThemeModule = ServedModule<ThemeOperations>

/** Themes of the booking sites, with versions. */
export function createThemeModule(host: ModuleHost, siblings: ThemeSiblings): ThemeModule {
  return {
    contract: themeContract,
    handlers: {
      peekBrands: async ({ body }) => ({ peeks: await peekBrands(host, body.tenantIds) }),
      getPublished: ({ params }) => readPublished(host, params.tenantId),
      async listVersions({ params }, call) {
        if (params.tenantId !== call.tenantId) throw problem('MELMASTOON.THEME.NOT_FOUND')
        return { versions: await listVersions(host, call.tenantId) }
      },
      createVersion: (input, call) => createVersion({ ...host, ...siblings }, input, call),
      publishVersion: (input, call) => publishVersion(host, input, call),
    },
  }
}
