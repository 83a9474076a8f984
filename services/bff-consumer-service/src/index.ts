export { type ConsumerConfig, consumerConfig } from './config.ts'
export type { ConsumerContext, ContextOverrides } from './context.ts'
export { service as consumerService } from './service.ts'
