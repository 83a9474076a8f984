import { chaos, eventually } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { createConsumer, on } from '../../src/inbox/index.ts'
import { appendEvents } from '../../src/outbox/index.ts'
import {
  distinct,
  type OutboxEnvironment,
  orderViolations,
  outboxEnvironment,
} from './outbox-environment.ts'
import { note, notePlaced, recordEffect, tenantId } from './outbox-schema.ts'
import { spawnOutboxProcess } from './spawn-outbox-process.ts'

function consumerOf(env: OutboxEnvironment) {
  return createConsumer({
    db: env.app,
    bus: env.bus,
    subscription: 'obx',
    handlers: [on(notePlaced, { scope: 'tenant', handle: recordEffect })],
    onError: () => undefined,
  })
}

const notes = (count: number, keys: number) =>
  Array.from({ length: count }, (_, index) => note(`k${index % keys}`, Math.floor(index / keys)))

describe('crashes of the relay and of the writer', { timeout: 60_000 }, () => {
  it('OBX-01 deliver an event that was committed right before the crash', async () => {
    await using env = await outboxEnvironment()
    await using writer = spawnOutboxProcess(env, 'writer', { crashAt: 'business.after_commit' })
    expect((await writer.exited).signal).toBe('SIGKILL')
    expect(await env.effects()).toHaveLength(1)
    await env.relay().drainOnce()
    expect((await env.arrivals()).map((arrival) => arrival.noteId)).toEqual(['written'])
  })

  it('OBX-02 release the rows of a crashed relay when its lease ends', async () => {
    await using env = await outboxEnvironment()
    await env.append(...notes(20, 4))
    await using dead = spawnOutboxProcess(env, 'relay', {
      crashAt: 'relay.after_read',
      leaseSeconds: 1.5,
    })
    expect((await dead.exited).signal).toBe('SIGKILL')
    const successor = env.relay()
    await successor.drainOnce()
    expect(await env.arrivals()).toHaveLength(0)
    await eventually(async () => {
      await successor.drainOnce()
      expect(await env.pending()).toBe(0)
    })
    expect(await env.arrivals()).toHaveLength(20)
  })

  it('OBX-03 between publish and mark cause a second delivery without a second effect', async () => {
    await using env = await outboxEnvironment()
    await env.append(...notes(20, 4))
    await using dead = spawnOutboxProcess(env, 'relay', {
      crashAt: 'relay.after_publish',
      leaseSeconds: 0.5,
    })
    expect((await dead.exited).signal).toBe('SIGKILL')
    const sent = (await env.arrivals()).length
    expect(sent).toBeGreaterThan(0)
    const successor = env.relay()
    await eventually(async () => {
      await successor.drainOnce()
      expect(await env.pending()).toBe(0)
    })
    const arrived = await env.arrivals()
    expect(arrived).toHaveLength(20 + sent)
    expect(orderViolations(arrived)).toBe(0)
    await using consumer = consumerOf(env)
    await consumer.start()
    await eventually(async () => expect(await env.effects()).toHaveLength(20))
    expect(orderViolations(await env.effects())).toBe(0)
  })

  it('OBX-04 within a batch of 500 cause few duplicates and no loss', async () => {
    await using env = await outboxEnvironment()
    await env.append(...notes(500, 25))
    const settings = { crashAt: 'relay.mid_batch', leaseSeconds: 0.5 }
    await using dead = spawnOutboxProcess(env, 'relay', settings)
    expect((await dead.exited).signal).toBe('SIGKILL')
    const successor = env.relay()
    await eventually(async () => {
      await successor.drainOnce()
      expect(await env.pending()).toBe(0)
    })
    const arrived = await env.arrivals()
    expect(distinct(arrived.map((arrival) => arrival.eventId))).toBe(500)
    expect(arrived.length).toBeGreaterThan(500)
    expect(arrived.length).toBeLessThanOrEqual(1_000)
    expect(orderViolations(arrived)).toBe(0)
  })

  it('OBX-07 publish nothing for a rolled back effect', async () => {
    await using env = await outboxEnvironment()
    await using writer = spawnOutboxProcess(env, 'writer', { crashAt: 'business.before_commit' })
    expect((await writer.exited).signal).toBe('SIGKILL')
    const failure = new Error('rolled back')
    const failing = env.app.withTenant(tenantId, async (tx) => {
      const event = note('rolled-back', 0)
      await recordEffect(tx, event.payload, event)
      await appendEvents(tx, [event])
      throw failure
    })
    await expect(failing).rejects.toBe(failure)
    await env.relay().drainOnce()
    expect(await env.effects()).toHaveLength(0)
    expect(await env.arrivals()).toHaveLength(0)
  })

  it('OBX-10 a lost response causes a duplicate, not a loss, and counts no attempt', async () => {
    await using env = await outboxEnvironment()
    await env.append(...notes(10, 2))
    const lossy = chaos(env.bus, { dropAfterEffectOn: ['publish'], times: 1 })
    const relay = env.relay({ bus: lossy.subject, queues: 1 })
    await relay.drainOnce()
    expect(await env.pending()).toBe(10)
    await relay.drainOnce()
    expect(await env.arrivals()).toHaveLength(20)
    const archived = await env.archived()
    expect(archived.map((row) => row.attempts)).toEqual(Array(10).fill(0))
    expect(archived.every((row) => row.stamped)).toBe(true)
    await using consumer = consumerOf(env)
    await consumer.start()
    await eventually(async () => expect(await env.effects()).toHaveLength(10))
  })

  it('OBX-20 SIGTERM finishes the batch in flight and releases the leases', async () => {
    await using env = await outboxEnvironment()
    await env.append(...notes(20, 4))
    await using child = spawnOutboxProcess(env, 'relay', { lingerMs: 500, leaseSeconds: 30 })
    await child.waitForLine('sent')
    const startedMs = performance.now()
    expect((await child.kill('SIGTERM')).code).toBe(0)
    expect(performance.now() - startedMs).toBeLessThan(9_000)
    expect(child.lines.filter((line) => line.startsWith('published')).length).toBeGreaterThan(0)
    expect((await env.leases()).every((lease) => lease.owner === null)).toBe(true)
    await env.relay().drainOnce()
    const arrived = await env.arrivals()
    expect(arrived).toHaveLength(20)
  })

  it('OBX-20 an unresponsive broker does not delay the shutdown', async () => {
    await using env = await outboxEnvironment()
    await env.append(...notes(20, 4))
    await using child = spawnOutboxProcess(env, 'relay', {
      hang: true,
      leaseSeconds: 30,
      stopMs: 500,
    })
    await child.waitForLine('sent')
    const startedMs = performance.now()
    expect((await child.kill('SIGTERM')).code).toBe(0)
    expect(performance.now() - startedMs).toBeLessThan(9_000)
    expect((await env.leases()).every((lease) => lease.owner === null)).toBe(true)
    await env.relay().drainOnce()
    expect(distinct((await env.arrivals()).map((arrival) => arrival.eventId))).toBe(20)
  })
})
