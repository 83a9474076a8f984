import { problem } from '@melmastoon/domain'
import type { Site } from '../site/site.ts'

/** `12.4`: the version of the tenant's settings, then that of the theme. */
const VERSION = /^(\d{1,9})\.[\w-]{1,32}$/

/** A page may miss this many changes of the hotel's settings before it has to be loaded again. */
const VERSIONS_BEHIND_MAX = 3

export function bootstrapVersion(from: {
  readonly tenantConfigVersion: string
  readonly themeVersion: string
}): string {
  return `${from.tenantConfigVersion}.${from.themeVersion}`
}

/**
 * An outdated theme is only a matter of looks, so it is never rejected.
 * @param held `X-Bootstrap-Version`: what the page was composed from.
 * @throws Problem BOOTSTRAP_STALE
 */
export function rejectStaleBootstrap(
  held: string | undefined,
  { configVersion }: Pick<Site, 'configVersion'>,
): void {
  const [, version] = VERSION.exec(held ?? '') ?? []
  if (version === undefined || Number(configVersion) - Number(version) <= VERSIONS_BEHIND_MAX)
    return
  throw problem('MELMASTOON.BFF.TENANT.BOOTSTRAP_STALE')
}
