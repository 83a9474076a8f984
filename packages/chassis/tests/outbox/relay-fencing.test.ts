import { eventually, latch } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { distinct, orderViolations, outboxEnvironment } from './outbox-environment.ts'
import { note } from './outbox-schema.ts'
import { spawnOutboxProcess } from './spawn-outbox-process.ts'

/**
 * The first relay is paused between the broker's response and its mark. A second one takes its
 * shards and is publishing when the first one resumes and marks.
 */
async function pauseBeyondLease({ fenced }: { fenced: boolean }) {
  await using env = await outboxEnvironment()
  await env.append(...Array.from({ length: 10 }, (_, index) => note('paused', index)))
  const settings = { leaseSeconds: 1, lingerMs: 1_500, fenced }
  await using zombie = spawnOutboxProcess(env, 'relay', settings)
  await zombie.waitForLine('sent')
  process.kill(zombie.pid, 'SIGSTOP')
  const [publishing, mayAnswer] = [latch(), latch()]
  const relay = env.relay({
    bus: {
      ...env.bus,
      async publish(messages) {
        const outcomes = await env.bus.publish(messages)
        publishing.open()
        await mayAnswer.promise
        return outcomes
      },
    },
  })
  relay.start()
  await publishing.promise
  process.kill(zombie.pid, 'SIGCONT')
  await zombie.waitForLine(/^(fenced|published) 10/)
  const rowsAfterZombie = (await env.rows()).length
  mayAnswer.open()
  await eventually(async () => expect(await env.pending()).toBe(0))
  return { rowsAfterZombie, lines: zombie.lines, arrived: await env.arrivals() }
}

describe('a relay paused beyond its lease', { timeout: 60_000 }, () => {
  it('OBX-16 cannot mark rows that another relay holds now', async () => {
    const { rowsAfterZombie, lines, arrived } = await pauseBeyondLease({ fenced: true })
    expect(rowsAfterZombie).toBe(10)
    expect(lines).toContain('fenced 10')
    expect(lines.some((line) => line.startsWith('published'))).toBe(false)
    expect(arrived).toHaveLength(20)
    expect(distinct(arrived.map((arrival) => arrival.eventId))).toBe(10)
    expect(orderViolations(arrived)).toBe(0)
  })

  it('OBX-16 control: without the fence it marks the rows of the other relay', async () => {
    const { rowsAfterZombie, lines } = await pauseBeyondLease({ fenced: false })
    expect(rowsAfterZombie).toBe(0)
    expect(lines).toContain('published 10')
  })
})
