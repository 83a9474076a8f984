export {
  type ExampleUpstream,
  startExampleUpstream,
  type UpstreamMood,
} from '../example-upstream.ts'
export { type ExampleConfig, exampleConfig } from './config.ts'
export type { ContextOverrides, ExampleContext } from './context.ts'
export { service as exampleService } from './service.ts'
