import { latch } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { BackgroundWork } from '../background/background-work.ts'
import { GuestLanes } from './guest-lanes.ts'

function aLane() {
  const failures: unknown[] = []
  const background = new BackgroundWork({
    onError: (error) => failures.push(error),
    onDropped: () => failures.push('dropped'),
  })
  const lanes = new GuestLanes(background)
  return { lanes, failures, end: () => background[Symbol.asyncDispose]() }
}

describe('a guest', () => {
  it('is told of at once when nothing of hers is under way', () => {
    const { lanes } = aLane()
    const told: string[] = []
    lanes.pass('a', () => told.push('first'))
    expect(told).toEqual(['first'])
  })

  it('is told of in her order, however long the first takes', async () => {
    const { lanes, end } = aLane()
    const told: string[] = []
    const answered = latch()
    lanes.run('a', async () => {
      await answered.promise
      told.push('looked up')
    })
    lanes.run('a', async () => told.push('looked up next'))
    lanes.pass('a', () => told.push('known'))
    expect(told).toEqual([])
    answered.open()
    await end()
    expect(told).toEqual(['looked up', 'looked up next', 'known'])
  })

  it('does not wait for another one, whose order is her own', async () => {
    const { lanes, end } = aLane()
    const told: string[] = []
    const answered = latch()
    lanes.run('a', async () => {
      await answered.promise
      told.push('a')
    })
    lanes.pass('b', () => told.push('b'))
    answered.open()
    await end()
    expect(told).toEqual(['b', 'a'])
  })

  it('is told of after a failure, which is reported once', async () => {
    const { lanes, failures, end } = aLane()
    const told: string[] = []
    lanes.run('a', () => Promise.reject(new Error('no answer')))
    lanes.pass('a', () => told.push('next'))
    await end()
    lanes.pass('a', () => told.push('at once'))
    expect(told).toEqual(['next', 'at once'])
    expect(failures).toHaveLength(1)
  })
})
