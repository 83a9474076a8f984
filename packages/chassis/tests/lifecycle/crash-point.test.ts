import { spawnProcess } from '@melmastoon/testkit'
import { expect, it } from 'vitest'

async function exitOf(env: Record<string, string | undefined>) {
  await using crashing = spawnProcess(new URL('./crashing-process.ts', import.meta.url), { env })
  return await crashing.exited
}

it.each([
  { NODE_ENV: 'test', MELMASTOON_CRASH_AT: undefined },
  { NODE_ENV: 'test', MELMASTOON_CRASH_AT: 'there' },
  { NODE_ENV: 'production', MELMASTOON_CRASH_AT: 'here' },
  { NODE_ENV: undefined, MELMASTOON_CRASH_AT: 'here' },
])('a crash point has no effect with %j', async (env) => {
  expect(await exitOf(env)).toEqual({ code: 0, signal: null })
})

it('a crash point kills a test process that is configured for it', async () => {
  const armed = { NODE_ENV: 'test', MELMASTOON_CRASH_AT: 'here' }
  expect(await exitOf(armed)).toEqual({ code: null, signal: 'SIGKILL' })
})
