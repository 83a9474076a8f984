import { createService } from '@melmastoon/chassis/service'
import { sandboxService, seedWorld } from '@melmastoon/platform-sandbox'
import { serveCommands } from '../../harness/serve-commands.ts'

/** The upstreams of the comparison: rooms, prices and themes of the demo world. */
async function start(): Promise<string> {
  const sandbox = await createService(sandboxService, process.env)
  const { worldSeed: seed, worldProperties: properties } = sandbox.ctx.config
  const { worldStaffedHotels: staffed } = sandbox.ctx.config
  await seedWorld(sandbox.ctx.relayDb, { seed, properties, staffed })
  const { url } = await sandbox.start()
  return url
}

serveCommands({ start })
