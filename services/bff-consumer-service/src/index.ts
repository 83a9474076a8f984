export { type ConsumerConfig, readConfig } from './config.ts'
export { type ConsumerContext, type ContextOverrides, createContext } from './context.ts'
export { CONSUMER_SCHEMA, consumerMigrations } from './migrations.ts'
export { type ConsumerService, createConsumerService } from './service.ts'
