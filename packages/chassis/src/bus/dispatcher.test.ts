import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../clock/index.ts'
import { DeliveryPostponed, PoisonMessage } from './delivery-errors.ts'
import { backoffMs, type Delivery, Dispatcher, type DispatcherOptions } from './dispatcher.ts'

function setUp(options: Partial<DispatcherOptions> & Pick<DispatcherOptions, 'handle'>) {
  const log: string[] = []
  const dispatcher = new Dispatcher({
    maxInFlight: 4,
    maxDeliveries: 3,
    backoff: { minMs: 1, maxMs: 2 },
    clock: systemClock,
    onError: () => undefined,
    ...options,
  })
  const push = (orderingKey: string, eventId: string, extra: Partial<Delivery> = {}) => {
    const message = {
      orderingKey,
      eventId,
      brokerId: eventId,
      subject: 's',
      body: '',
      attributes: {},
    }
    dispatcher.push({
      message: { ...message, deliveryCount: 1 },
      acknowledge: async () => void log.push(`ack ${eventId}`),
      deadLetter: async (reason) => void log.push(`dead-letter ${eventId} ${reason}`),
      recordRetry: async () => void log.push(`retry ${eventId}`),
      isOurs: () => true,
      release: () => void log.push(`release ${eventId}`),
      ...extra,
    })
  }
  const untilIdle = async () => {
    while (!dispatcher.idle) await sleep(1)
  }
  return { dispatcher, push, log, untilIdle }
}

describe('Dispatcher', () => {
  it('retries a failed message before the next message of its key', async () => {
    const { push, log, untilIdle } = setUp({
      handle: async ({ eventId, deliveryCount }) => {
        if (eventId === 'a' && deliveryCount < 2) throw new Error('not yet')
      },
    })
    push('k', 'a')
    push('k', 'b')
    await untilIdle()
    expect(log).toEqual(['retry a', 'ack a', 'ack b'])
  })

  it('counts no delivery while a dependency of the handler is unavailable', async () => {
    let calls = 0
    const { push, log, untilIdle } = setUp({
      handle: async () => {
        calls += 1
        if (calls <= 8) throw new DeliveryPostponed('away')
      },
    })
    push('k', 'a')
    await untilIdle()
    expect(log).toEqual(['ack a'])
  })

  it('dead-letters poison messages immediately and others after the last delivery', async () => {
    const { push, log, untilIdle } = setUp({
      handle: async ({ eventId }) => {
        throw eventId === 'poison' ? new PoisonMessage('bad') : new Error('never')
      },
    })
    push('k', 'poison')
    push('k', 'stubborn')
    await untilIdle()
    const retries = ['retry stubborn', 'retry stubborn']
    expect(log).toEqual(['dead-letter poison bad', ...retries, 'dead-letter stubborn never'])
  })

  it('drops a message that another consumer has taken over', async () => {
    const { push, log, untilIdle } = setUp({ handle: async () => void log.push('handled') })
    push('k', 'a', { isOurs: () => false })
    await untilIdle()
    expect(log).toEqual(['release a'])
  })

  it('never runs more handlers than allowed and reports when its buffer is full', async () => {
    let running = 0
    let most = 0
    const { dispatcher, push, untilIdle } = setUp({
      maxInFlight: 2,
      handle: async () => {
        running += 1
        most = Math.max(most, running)
        await sleep(1)
        running -= 1
      },
    })
    for (let index = 0; index < 16; index += 1) push(`k${index}`, `e${index}`)
    expect(dispatcher.room).toBe(0)
    await untilIdle()
    expect(most).toBe(2)
    expect(dispatcher.room).toBe(16)
  })
})

describe('backoffMs', () => {
  it.each([1, 2, 5, 60])('stays between one millisecond and the ceiling in round %i', (round) => {
    for (let index = 0; index < 100; index += 1) {
      const delayMs = backoffMs({ minMs: 10, maxMs: 100 }, round)
      expect(delayMs).toBeGreaterThanOrEqual(1)
      expect(delayMs).toBeLessThanOrEqual(Math.min(100, 10 * 2 ** (round - 1)) + 1)
    }
  })
})
