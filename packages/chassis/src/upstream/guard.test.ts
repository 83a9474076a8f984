import { describe, expect, it } from 'vitest'
import { Guard } from './guard.ts'
import { UpstreamFailure } from './upstream-failure.ts'

const signal = new AbortController().signal
const fail = () => Promise.reject(new UpstreamFailure('rooms', 'server-error'))
const succeed = () => Promise.resolve('ok')

function createGuard(limits = { concurrentMax: 8, queueMax: 8 }) {
  return new Guard({ upstream: 'rooms', halfOpenAfterMs: 20, ...limits })
}

async function failTimes(guard: Guard, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1)
    await expect(guard.run(fail, signal)).rejects.toThrow('rooms: server-error')
}

/** A call whose outcome the test decides. */
function startCall(guard: Guard) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const result = guard.run(() => promise, signal).catch((error: Error) => error.message)
  return { result, resolve, reject: () => reject(new UpstreamFailure('rooms', 'timeout')) }
}

describe('the breaker', () => {
  it('counts failures in a row, also of calls that began while the upstream was healthy', async () => {
    const guard = createGuard()
    const calls = Array.from({ length: 5 }, () => startCall(guard))
    for (const call of calls) {
      expect(guard.state()).toBe('closed')
      call.reject()
      expect(await call.result).toBe('rooms: timeout')
    }
    expect(guard.state()).toBe('open')
  })

  it('starts to count again after a success of a call that began before the failures', async () => {
    const guard = createGuard()
    const early = startCall(guard)
    await failTimes(guard, 4)
    early.resolve('ok')
    await early.result
    await failTimes(guard, 4)
    expect(guard.state()).toBe('closed')
    await failTimes(guard, 1)
    expect(guard.state()).toBe('open')
  })

  it('does not take the late failure of an old call for the outcome of a probe', async () => {
    const guard = createGuard()
    const late = startCall(guard)
    await failTimes(guard, 5)
    late.reject()
    expect(await late.result).toBe('rooms: timeout')
    await expect.poll(() => guard.run(succeed, signal).catch(() => 'open')).toBe('ok')
    expect(guard.state()).toBe('closed')
  })

  it('is not opened by a full bulkhead', async () => {
    const guard = createGuard({ concurrentMax: 1, queueMax: 0 })
    const running = startCall(guard)
    for (let n = 0; n < 6; n += 1) {
      await expect(guard.run(succeed, signal)).rejects.toThrow('rooms: busy')
    }
    running.resolve('ok')
    expect(await running.result).toBe('ok')
    expect(await guard.run(succeed, signal)).toBe('ok')
  })
})

describe('the bulkhead', () => {
  it('runs waiting calls in order and never one whose deadline has passed', async () => {
    const guard = createGuard({ concurrentMax: 1, queueMax: 3 })
    const order: string[] = []
    const running = startCall(guard)
    const leaving = new AbortController()
    const add = (name: string, abort = signal) =>
      guard.run(async () => order.push(name), abort).catch((error: Error) => error.message)
    const waiting = [add('first'), add('abandoned', leaving.signal), add('second')]
    expect(await add('third')).toBe('rooms: busy')
    leaving.abort(new Error('deadline exceeded'))
    expect(await waiting[1]).toBe('deadline exceeded')
    running.resolve('ok')
    await Promise.all(waiting)
    expect(order).toEqual(['first', 'second'])
  })
})
