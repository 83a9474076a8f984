import { type SpawnedProcess, spawnProcess } from '@melmastoon/testkit'
import type { OutboxEnvironment } from './outbox-environment.ts'
import type { ProcessSettings } from './processes/settings.ts'

export interface OutboxProcessOptions extends Partial<ProcessSettings> {
  crashAt?: string
}

/** One of the programs in `processes/`, connected to the test environment. */
export function spawnOutboxProcess(
  env: OutboxEnvironment,
  program: 'relay' | 'writer' | 'consumer',
  { crashAt, ...extra }: OutboxProcessOptions = {},
): SpawnedProcess {
  const { appUrl, relayUrl } = env.database
  const settings: ProcessSettings = { appUrl, relayUrl, redisUrl: env.redisUrl, ...extra }
  return spawnProcess(new URL(`./processes/${program}-process.ts`, import.meta.url), {
    args: [JSON.stringify(settings)],
    env: { MELMASTOON_CRASH_AT: crashAt, NODE_ENV: 'test' },
  })
}
