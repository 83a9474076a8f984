import { buildContext } from '@melmastoon/chassis/service'
import { service as exampleService } from '@melmastoon/testkit/example-service'

/** The collaborators of the example service without its server, to measure them separately. */
export function exampleContext() {
  const env = { ...process.env, EXAMPLE_UPSTREAM_URL: 'http://127.0.0.1:9' }
  return buildContext(exampleService, exampleService.config.read(env), {})
}
