import type { ModuleHost } from '../../../module.ts'
import type { IndexUpdater } from '../index/index-updater.ts'
import type { SearchSources } from '../search-sources.ts'

/** What the event handlers depend on. */
export interface Projector {
  readonly host: ModuleHost
  readonly sources: SearchSources
  readonly updater: IndexUpdater
}
