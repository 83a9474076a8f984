import type { Clock } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import type { ErrorReporter } from '@melmastoon/chassis/telemetry'
import type { TenantId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { SandboxConfig } from '../config.ts'
import type { Modules } from '../modules.ts'
import type { ScenarioControl } from '../scenarios/scenario-board.ts'

/** What the control room works with. */
export interface ControlRoom {
  readonly config: SandboxConfig
  readonly clock: Clock
  readonly modules: Modules
  readonly scenarios: ScenarioControl
  readonly db: Database
  /** Sees the events of all tenants. */
  readonly relayDb: Database
  /** Reports failures of page sections. */
  readonly errors: ErrorReporter
}

/** The operator: calls of module operations are made on behalf of a tenant. */
export interface Operator {
  causeFor(tenantId: TenantId | null): EventContext
}
