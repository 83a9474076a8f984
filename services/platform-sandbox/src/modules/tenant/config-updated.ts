import type { EventContext } from '@melmastoon/events'
import { tenantConfigUpdated } from '@melmastoon/platform-events'
import type { Tenant } from '@melmastoon/upstream-contracts/tenant'
import type { ModuleHost } from '../../module.ts'

export interface ConfigChange {
  /** Names of the contract, for example `timeZone`. */
  readonly changed: readonly string[]
  readonly cause: EventContext
}

/** Notifies consumers of the tenant's settings that their copies are outdated. */
export function configUpdated(
  registry: ModuleHost['registry'],
  tenant: Tenant,
  { changed, cause }: ConfigChange,
) {
  const { tenantId, slug, config, updatedAt } = tenant
  return registry.build(
    tenantConfigUpdated.subject,
    { tenantId, slug, configVersion: config.version, changed: changed.map(toSnake), updatedAt },
    cause,
  )
}

/** Events use snake case, for example `time_zone`. */
function toSnake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
