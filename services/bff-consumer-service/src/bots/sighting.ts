import type { Witnessed } from '../telemetry/report.ts'
import type { Traits } from './read-signals.ts'

/** The request at hand, for when a guest is to be looked at. */
export interface Sighting {
  readonly traits: Traits
  /** Undefined without a session: whom nobody knows, nobody tells of. */
  readonly witnessed: Witnessed | undefined
}
