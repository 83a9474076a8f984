/** The example service lives in the testkit, which has no other door to it. */
export { readConfig } from '../../../packages/testkit/src/example-service/config.ts'
export {
  createContext,
  type ExampleContext,
} from '../../../packages/testkit/src/example-service/context.ts'
export {
  EXAMPLE_SCHEMA,
  exampleMigrations,
} from '../../../packages/testkit/src/example-service/migrations.ts'
export { placeNote } from '../../../packages/testkit/src/example-service/notes/place-note.ts'
export { createExampleService } from '../../../packages/testkit/src/example-service/service.ts'
