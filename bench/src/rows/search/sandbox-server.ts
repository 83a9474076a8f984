import { createSandbox, readConfig, seedWorld } from '@melmastoon/platform-sandbox'
import { answerCommands } from '../../harness/answer-commands.ts'

/** The upstreams of the comparison: real rooms, prices and themes over the demo world. */
async function start(): Promise<string> {
  const config = readConfig(process.env)
  const sandbox = await createSandbox(config)
  const { worldSeed: seed, worldProperties: properties } = config
  await seedWorld(sandbox.ctx.relayDb, { seed, properties })
  const { url } = await sandbox.start()
  return url
}

answerCommands({ start })
