import { envInt, envSecret, loadConfig } from '../../src/config/index.ts'
import { runService } from '../../src/lifecycle/index.ts'

const group = { workers: envInt('WORKERS'), pepper: envSecret('PEPPER') }

await runService({
  name: 'misconfigured',
  async start() {
    loadConfig({ WORKERS: 'many', PEPPER: 'short-canary' }, group)
    return { stopPhases: [] }
  },
})
