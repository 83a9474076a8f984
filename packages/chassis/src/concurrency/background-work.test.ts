import { describe, expect, it } from 'vitest'
import { BackgroundWork } from './background-work.ts'

function open() {
  const errors: unknown[] = []
  const dropped: true[] = []
  const work = new BackgroundWork({
    onError: (error) => errors.push(error),
    onDropped: () => dropped.push(true),
  })
  return { work, errors, dropped }
}

describe('background work', () => {
  it('of one name runs once at a time and can run again afterwards', async () => {
    const { work } = open()
    const gate = Promise.withResolvers<void>()
    let runs = 0
    const run = () => work.run('seen', () => ((runs += 1), gate.promise))
    expect([run(), run()]).toEqual([true, false])
    expect(runs).toBe(1)
    gate.resolve()
    await work[Symbol.asyncDispose]()
    run()
    expect(runs).toBe(2)
  })

  it('that fails, synchronously or later, is reported and fails no caller', async () => {
    const { work, errors } = open()
    const failure = new Error('no')
    work.run('immediate', () => {
      throw failure
    })
    work.run('later', () => Promise.reject(failure))
    await work[Symbol.asyncDispose]()
    expect(errors).toEqual([failure, failure])
  })

  it('is waited for on disposal, including work that it started', async () => {
    const { work } = open()
    const done: string[] = []
    const step = async (name: string) => void done.push(name)
    work.run('first', async () => {
      await step('first')
      work.run('second', async () => {
        await step('second')
        work.run('third', () => step('third'))
      })
    })
    await work[Symbol.asyncDispose]()
    expect(done).toEqual(['first', 'second', 'third'])
  })

  it('is dropped and counted at the bound', async () => {
    const { work, dropped } = open()
    const gate = Promise.withResolvers<void>()
    for (let at = 0; at < 1_002; at += 1) work.run(`work ${at}`, () => gate.promise)
    expect(dropped).toHaveLength(2)
    expect(work.run('one more', () => gate.promise)).toBe(false)
    gate.resolve()
    await work[Symbol.asyncDispose]()
  })
})
