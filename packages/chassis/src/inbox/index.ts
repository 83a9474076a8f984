export { type Consumer, createConsumer } from './consumer.ts'
export type { ConsumerMetrics, ConsumerOptions } from './consumer-options.ts'
export { type EventHandler, type EventSteps, on } from './event-handler.ts'
export { pruneInbox } from './inbox-sql.ts'
