import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, type SpawnedProcess } from '@melmastoon/testkit'
import { expect } from 'vitest'
import { note } from './outbox-schema.ts'
import type { OutboxWorld } from './outbox-world.ts'
import { spawnWorldProcess } from './spawn-world-process.ts'

export interface RandomCrashes {
  events: number
  keys: number
  relays: number
  kills: number
}

/** Writes events while relays are killed at random moments and replaced, until the outbox is empty. */
export async function runRandomCrashes(world: OutboxWorld, plan: RandomCrashes): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const spawn = () =>
    stack.use(spawnWorldProcess(world, 'relay', { leaseSeconds: 1, batchSize: 40, lingerMs: 10 }))
  const relays: SpawnedProcess[] = Array.from({ length: plan.relays }, spawn)
  const writing = writeEvents(world, plan)
  for (let kill = 0; kill < plan.kills; kill += 1) {
    const victim = relays[randomInt(relays.length)]
    if (victim === undefined) continue
    await victim.waitForLine('sent', { timeoutMs: 30_000 }).catch(() => undefined)
    await sleep(randomInt(200))
    await victim.kill('SIGKILL')
    relays[relays.indexOf(victim)] = spawn()
  }
  await writing
  await eventually(async () => expect(await world.pending()).toBe(0), {
    timeoutMs: 60_000,
    intervalMs: 200,
  })
}

async function writeEvents(world: OutboxWorld, { events, keys }: RandomCrashes): Promise<void> {
  const size = keys
  for (let round = 0; round * size < events; round += 1) {
    await world.append(...Array.from({ length: size }, (_, key) => note(`k${key}`, round)))
    await sleep(randomInt(40))
  }
}
