import type { Migration } from '@melmastoon/chassis/db'
import type { EventRegistry } from '@melmastoon/events'

/**
 * What the module named in `melmastoon.service.contracts` exports as `contracts`. A service states
 * it without importing this type: its test hands it over, and there the shapes must agree.
 */
export interface ServiceContracts {
  readonly schema: string
  migrations(): Promise<readonly Migration[]>
  readonly registry: Pick<EventRegistry, 'definitions' | 'validate'>
  /** The rendered OpenAPI document; may not need a running database or Redis. */
  openApi(): Promise<string>
}
