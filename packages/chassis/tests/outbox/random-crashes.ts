import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, type SpawnedProcess } from '@melmastoon/testkit'
import { expect } from 'vitest'
import type { OutboxEnvironment } from './outbox-environment.ts'
import { note } from './outbox-schema.ts'
import { spawnOutboxProcess } from './spawn-outbox-process.ts'

export interface RandomCrashes {
  events: number
  keys: number
  relays: number
  kills: number
}

/**
 * Writes events while publishing relays are killed at random times and replaced, until the outbox
 * is empty.
 */
export async function runRandomCrashes(env: OutboxEnvironment, plan: RandomCrashes): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const spawn = () =>
    stack.use(spawnOutboxProcess(env, 'relay', { leaseSeconds: 1, batchSize: 40, lingerMs: 10 }))
  const relays = Array.from({ length: plan.relays }, spawn)
  const rounds = plan.events / plan.keys
  for (let kill = 0; kill <= plan.kills; kill += 1) {
    const [from, to] = [kill, kill + 1].map((part) =>
      Math.floor((part * rounds) / (plan.kills + 1)),
    )
    const writing = writeRounds(env, plan.keys, { from: from ?? 0, to: to ?? rounds })
    if (kill < plan.kills) await killOne(relays, spawn)
    await writing
  }
  await eventually(async () => expect(await env.pending()).toBe(0), {
    timeoutMs: 60_000,
    intervalMs: 100,
  })
}

async function killOne(relays: SpawnedProcess[], spawn: () => SpawnedProcess): Promise<void> {
  const victim = await eventually(
    () => {
      const busy = relays.filter((relay) => relay.lines.some((line) => line.startsWith('sent')))
      expect(busy).not.toEqual([])
      return busy[randomInt(busy.length)]
    },
    { timeoutMs: 30_000 },
  )
  if (victim === undefined) return
  await sleep(randomInt(60))
  await victim.kill('SIGKILL')
  relays[relays.indexOf(victim)] = spawn()
}

async function writeRounds(
  env: OutboxEnvironment,
  keys: number,
  { from, to }: { from: number; to: number },
): Promise<void> {
  for (let round = from; round < to; round += 1) {
    await env.append(...Array.from({ length: keys }, (_, key) => note(`k${key}`, round)))
    await sleep(randomInt(20))
  }
}
