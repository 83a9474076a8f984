import { runService } from '@melmastoon/chassis/lifecycle'
import { startExampleUpstream } from '../example-upstream.ts'
import { readConfig } from './config.ts'
import { createExampleService } from './service.ts'

const { EXAMPLE_UPSTREAM_URL, EXAMPLE_UPSTREAM_PORT = '8089' } = process.env

await runService({
  name: 'example-service',
  start: async () => {
    const config = readConfig(process.env)
    // Without an upstream to call, the example brings its own, so that it can be tried alone.
    if (EXAMPLE_UPSTREAM_URL === undefined)
      await startExampleUpstream(Number(EXAMPLE_UPSTREAM_PORT))
    const service = await createExampleService(config)
    return service.start()
  },
})
