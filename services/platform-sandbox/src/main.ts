import { runService } from '@melmastoon/chassis/lifecycle'
import { readConfig } from './config.ts'
import { createSandbox } from './service.ts'

await runService({
  name: 'platform-sandbox',
  start: async () => {
    const sandbox = await createSandbox(readConfig(process.env))
    return sandbox.start()
  },
})
