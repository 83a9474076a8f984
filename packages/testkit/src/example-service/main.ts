import { runService } from '@melmastoon/chassis/lifecycle'
import { readConfig } from './config.ts'
import { createExampleService } from './service.ts'

await runService({
  name: 'example-service',
  start: async () => {
    const service = await createExampleService(readConfig(process.env))
    return service.start()
  },
})
