import { backofficeService } from '@melmastoon/bff-backoffice-service'
import { createService } from '@melmastoon/chassis/service'
import { serveCommands } from '../harness/serve-commands.ts'
import { ServiceProbe } from './service-probe.ts'

/** Before the service opens its connections. */
const probe = new ServiceProbe({
  sessionUrl: process.env['REDIS_SESSION_URL'] ?? '',
  appUrl: process.env['DATABASE_APP_URL'] ?? '',
})

async function start() {
  const service = await createService(backofficeService, process.env)
  const { url, internalUrl } = await service.start()
  return { url, internalUrl }
}

serveCommands({ start, reset: () => probe.reset(), read: () => probe.read() })
