import { latch } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { BackgroundWork } from './background-work.ts'
import { PerGuestQueue } from './per-guest-queue.ts'

function createQueue() {
  const failures: unknown[] = []
  const background = new BackgroundWork({
    onError: (error) => failures.push(error),
    onDropped: () => failures.push('dropped'),
  })
  const queue = new PerGuestQueue(background)
  return { queue, failures, end: () => background[Symbol.asyncDispose]() }
}

describe('the queue of a guest', () => {
  it('runs a step synchronously when it is empty', () => {
    const { queue } = createQueue()
    const done: string[] = []
    queue.runNowOrQueue('a', () => done.push('first'))
    expect(done).toEqual(['first'])
  })

  it('runs work in order, even if the first task is slow', async () => {
    const { queue, end } = createQueue()
    const done: string[] = []
    const gate = latch()
    queue.run('a', async () => {
      await gate.promise
      done.push('looked up')
    })
    queue.run('a', async () => done.push('looked up next'))
    queue.runNowOrQueue('a', () => done.push('known'))
    expect(done).toEqual([])
    gate.open()
    await end()
    expect(done).toEqual(['looked up', 'looked up next', 'known'])
  })

  it('does not wait for the queue of another guest', async () => {
    const { queue, end } = createQueue()
    const done: string[] = []
    const gate = latch()
    queue.run('a', async () => {
      await gate.promise
      done.push('a')
    })
    queue.runNowOrQueue('b', () => done.push('b'))
    gate.open()
    await end()
    expect(done).toEqual(['b', 'a'])
  })

  it('continues after a failure, which is reported once', async () => {
    const { queue, failures, end } = createQueue()
    const done: string[] = []
    queue.run('a', () => Promise.reject(new Error('no response')))
    queue.runNowOrQueue('a', () => done.push('next'))
    await end()
    queue.runNowOrQueue('a', () => done.push('immediate'))
    expect(done).toEqual(['next', 'immediate'])
    expect(failures).toHaveLength(1)
  })
})
