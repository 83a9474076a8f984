export { type Consumer, createConsumer } from './consumer.ts'
export type { ConsumerMetrics, ConsumerOptions, EventHandler } from './consumer-options.ts'
export { pruneInbox } from './sql/prune-inbox.ts'
