export {
  type ExampleUpstream,
  startExampleUpstream,
  type UpstreamMood,
} from '../example-upstream.ts'
export { type ExampleConfig, readConfig } from './config.ts'
export { type ContextOverrides, createContext, type ExampleContext } from './context.ts'
export { EXAMPLE_SCHEMA, exampleMigrations } from './migrations.ts'
export { createExampleService, type ExampleService } from './service.ts'
