import { chaos, eventually } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { createConsumer, on } from '../../src/inbox/index.ts'
import { appendEvents } from '../../src/outbox/index.ts'
import { note, notePlaced, recordEffect, tenantId } from './outbox-schema.ts'
import { distinct, type OutboxWorld, orderViolations, outboxWorld } from './outbox-world.ts'
import { spawnWorldProcess } from './spawn-world-process.ts'

function consumerOf(world: OutboxWorld) {
  return createConsumer({
    db: world.app,
    bus: world.bus,
    subscription: 'obx',
    handlers: [on(notePlaced, { scope: 'tenant', handle: recordEffect })],
    onError: () => undefined,
  })
}

const notes = (count: number, keys: number) =>
  Array.from({ length: count }, (_, index) => note(`k${index % keys}`, Math.floor(index / keys)))

describe('relay and business process die', { timeout: 60_000 }, () => {
  it('OBX-01 an event committed right before the crash is delivered later', async () => {
    await using world = await outboxWorld()
    await using writer = spawnWorldProcess(world, 'writer', { crashAt: 'business.after_commit' })
    expect((await writer.exited).signal).toBe('SIGKILL')
    expect(await world.effects()).toHaveLength(1)
    await world.relay().drainOnce()
    expect((await world.arrivals()).map((arrival) => arrival.noteId)).toEqual(['written'])
  })

  it('OBX-02 rows claimed by a dead relay are taken over when its lease ends', async () => {
    await using world = await outboxWorld()
    await world.append(...notes(20, 4))
    await using dead = spawnWorldProcess(world, 'relay', {
      crashAt: 'relay.after_read',
      leaseSeconds: 1.5,
    })
    expect((await dead.exited).signal).toBe('SIGKILL')
    const successor = world.relay()
    await successor.drainOnce()
    expect(await world.arrivals()).toHaveLength(0)
    await eventually(async () => {
      await successor.drainOnce()
      expect(await world.pending()).toBe(0)
    })
    expect(await world.arrivals()).toHaveLength(20)
  })

  it('OBX-03 published and not marked: delivered twice, effect once', async () => {
    await using world = await outboxWorld()
    await world.append(...notes(20, 4))
    await using dead = spawnWorldProcess(world, 'relay', {
      crashAt: 'relay.after_publish',
      leaseSeconds: 0.5,
    })
    expect((await dead.exited).signal).toBe('SIGKILL')
    const sent = (await world.arrivals()).length
    expect(sent).toBeGreaterThan(0)
    const successor = world.relay()
    await eventually(async () => {
      await successor.drainOnce()
      expect(await world.pending()).toBe(0)
    })
    const arrived = await world.arrivals()
    expect(arrived).toHaveLength(20 + sent)
    expect(orderViolations(arrived)).toBe(0)
    await using consumer = consumerOf(world)
    await consumer.start()
    await eventually(async () => expect(await world.effects()).toHaveLength(20))
    expect(orderViolations(await world.effects())).toBe(0)
  })

  it('OBX-04 dies in the middle of a batch of 500: few duplicates, no loss', async () => {
    await using world = await outboxWorld()
    await world.append(...notes(500, 25))
    const settings = { crashAt: 'relay.mid_batch', leaseSeconds: 0.5 }
    await using dead = spawnWorldProcess(world, 'relay', settings)
    expect((await dead.exited).signal).toBe('SIGKILL')
    const successor = world.relay()
    await eventually(async () => {
      await successor.drainOnce()
      expect(await world.pending()).toBe(0)
    })
    const arrived = await world.arrivals()
    expect(distinct(arrived.map((arrival) => arrival.eventId))).toBe(500)
    expect(arrived.length).toBeGreaterThan(500)
    expect(arrived.length).toBeLessThanOrEqual(1_000)
    expect(orderViolations(arrived)).toBe(0)
  })

  it('OBX-07 a rolled back effect publishes nothing', async () => {
    await using world = await outboxWorld()
    await using writer = spawnWorldProcess(world, 'writer', { crashAt: 'business.before_commit' })
    expect((await writer.exited).signal).toBe('SIGKILL')
    const refuse = new Error('refused')
    const failing = world.app.withTenant(tenantId, async (tx) => {
      const event = note('refused', 0)
      await recordEffect(tx, event.payload, event)
      await appendEvents(tx, [event])
      throw refuse
    })
    await expect(failing).rejects.toBe(refuse)
    await world.relay().drainOnce()
    expect(await world.effects()).toHaveLength(0)
    expect(await world.arrivals()).toHaveLength(0)
  })

  it('OBX-10 an answer lost on the way is a duplicate, not a loss, and costs no attempt', async () => {
    await using world = await outboxWorld()
    await world.append(...notes(10, 2))
    const lossy = chaos(world.bus, { dropAfterEffectOn: ['publish'], times: 1 })
    const relay = world.relay({ bus: lossy.subject, queues: 1 })
    await relay.drainOnce()
    expect(await world.pending()).toBe(10)
    await relay.drainOnce()
    expect(await world.arrivals()).toHaveLength(20)
    const archived = await world.archived()
    expect(archived.map((row) => row.attempts)).toEqual(Array(10).fill(0))
    expect(archived.every((row) => row.stamped)).toBe(true)
    await using consumer = consumerOf(world)
    await consumer.start()
    await eventually(async () => expect(await world.effects()).toHaveLength(10))
  })

  it('OBX-20 SIGTERM with a batch in flight finishes it and gives the leases back', async () => {
    await using world = await outboxWorld()
    await world.append(...notes(20, 4))
    await using child = spawnWorldProcess(world, 'relay', { lingerMs: 500, leaseSeconds: 30 })
    await child.waitForLine('sent')
    const startedMs = performance.now()
    expect((await child.kill('SIGTERM')).code).toBe(0)
    expect(performance.now() - startedMs).toBeLessThan(9_000)
    expect(child.lines.filter((line) => line.startsWith('published')).length).toBeGreaterThan(0)
    expect((await world.leases()).every((lease) => lease.owner === null)).toBe(true)
    await world.relay().drainOnce()
    const arrived = await world.arrivals()
    expect(arrived).toHaveLength(20)
  })

  it('OBX-20 a broker that hangs does not hold the shutdown up', async () => {
    await using world = await outboxWorld()
    await world.append(...notes(20, 4))
    await using child = spawnWorldProcess(world, 'relay', {
      hang: true,
      leaseSeconds: 30,
      stopMs: 500,
    })
    await child.waitForLine('sent')
    const startedMs = performance.now()
    expect((await child.kill('SIGTERM')).code).toBe(0)
    expect(performance.now() - startedMs).toBeLessThan(9_000)
    expect((await world.leases()).every((lease) => lease.owner === null)).toBe(true)
    await world.relay().drainOnce()
    expect(distinct((await world.arrivals()).map((arrival) => arrival.eventId))).toBe(20)
  })
})
