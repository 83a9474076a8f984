import { runService } from '@melmastoon/chassis/lifecycle'
import { readConfig } from './config.ts'
import { createConsumerService } from './service.ts'

await runService({
  name: 'bff-consumer-service',
  start: async () => {
    const service = await createConsumerService(readConfig(process.env))
    return service.start()
  },
})
