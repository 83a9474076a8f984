import type { Clock } from '@melmastoon/chassis/clock'
import type { Announcements, Database } from '@melmastoon/chassis/db'
import type { EventHandler } from '@melmastoon/chassis/inbox'
import type { ErrorReporter, Logger, Metrics } from '@melmastoon/chassis/telemetry'
import type { platformRegistry } from '@melmastoon/platform-events'
import type { Contract, Operations } from '@melmastoon/upstream-contracts'
import type { SandboxConfig } from './config.ts'
import type { ContractHandlers } from './contract-handlers.ts'
import type { ScenarioBoard } from './scenarios/scenario-board.ts'

/** What every module receives; sibling modules are passed separately. */
export interface ModuleHost {
  readonly config: SandboxConfig
  readonly clock: Clock
  readonly db: Database
  /** Works for all tenants: sweepers, webhooks, seeding. */
  readonly relayDb: Database
  readonly announcements: Announcements
  readonly registry: typeof platformRegistry
  readonly scenarios: ScenarioBoard
  readonly logger: Logger
  readonly metrics: Metrics
  readonly errors: ErrorReporter
}

export interface Worker {
  stop(): Promise<void>
}

/**
 * A module serves one contract; some also have background work or event handlers. Jobs are listed
 * separately, because they also run without a service.
 */
export interface ServedModule<O extends Operations = Operations> {
  readonly contract: Contract<O>
  readonly handlers: ContractHandlers<O>
  readonly subscriptions?: readonly EventHandler[]
  start?(): Promise<Worker>
}
