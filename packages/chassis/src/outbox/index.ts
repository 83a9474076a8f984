export { appendEvents } from './append-events.ts'
export { type OutboxCommandOptions, runOutboxCommand } from './outbox-command.ts'
export {
  type AppendCondition,
  appendEventsFragment,
  type OutboxDepth,
  outboxDepth,
  pruneDeadEvents,
  pruneOutbox,
} from './outbox-sql.ts'
export { createRelay, type Relay } from './relay.ts'
export type { RelayMetrics, RelayOptions } from './relay-options.ts'
export { replayEvent, replayPublishedSince } from './replay-event.ts'
export { TelemetryBatcher, type TelemetryBatcherOptions } from './telemetry-batcher.ts'
