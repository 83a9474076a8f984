import type { Database } from '@melmastoon/chassis/db'
import type { ErrorReporter } from '@melmastoon/chassis/telemetry'
import type { TenantId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { SandboxConfig } from '../config.ts'
import type { Modules } from '../modules.ts'
import type { ScenarioControl } from '../scenarios/scenario-board.ts'

/** What the people who try, break and repair the platform have at hand. */
export interface ControlRoom {
  readonly config: SandboxConfig
  readonly modules: Modules
  readonly scenarios: ScenarioControl
  readonly db: Database
  /** Sees the events of all tenants. */
  readonly relayDb: Database
  /** Takes the failures of page sections. */
  readonly errors: ErrorReporter
}

/** Who presses a button: calls of the modules' operations are made in a tenant's name. */
export interface Operator {
  causeFor(tenantId: TenantId | null): EventContext
}
