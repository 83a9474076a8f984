import { type SpawnedProcess, spawnProcess } from '@melmastoon/testkit'
import type { OutboxWorld } from './outbox-world.ts'
import type { ProcessSettings } from './processes/settings.ts'

export interface WorldProcessOptions extends Partial<ProcessSettings> {
  crashAt?: string
}

/** One of the programs in `processes/`, pointed at this world. */
export function spawnWorldProcess(
  world: OutboxWorld,
  program: 'relay' | 'writer' | 'consumer',
  { crashAt, ...extra }: WorldProcessOptions = {},
): SpawnedProcess {
  const { appUrl, relayUrl } = world.database
  const settings: ProcessSettings = { appUrl, relayUrl, redisUrl: world.redisUrl, ...extra }
  return spawnProcess(new URL(`./processes/${program}-process.ts`, import.meta.url), {
    args: [JSON.stringify(settings)],
    env: { MELMASTOON_CRASH_AT: crashAt, NODE_ENV: 'test' },
  })
}
