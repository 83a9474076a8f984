import { runService } from '@melmastoon/chassis/lifecycle'
import { startExampleUpstream } from '../example-upstream.ts'
import { readConfig } from './config.ts'
import { createExampleService } from './service.ts'

await runService({
  name: 'example-service',
  start: async () => {
    // Without an upstream to call, the example brings its own, so that it can be tried alone.
    const { EXAMPLE_UPSTREAM_URL = (await startExampleUpstream()).url } = process.env
    const config = readConfig({ ...process.env, EXAMPLE_UPSTREAM_URL })
    const service = await createExampleService(config)
    return service.start()
  },
})
