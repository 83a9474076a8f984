import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTicker, type Ticker } from './ticker.ts'

let everyTick: Ticker
beforeEach(() => {
  vi.useFakeTimers()
  everyTick = createTicker()
})
afterEach(() => {
  vi.useRealTimers()
})

it('runs work of all intervals in the same turns, with one timer', () => {
  const runs: string[] = []
  const note = (name: string) => () => void runs.push(`${name} ${Date.now() - startedAtMs}`)
  const startedAtMs = Date.now()
  using _quick = everyTick(500, note('quick'))
  vi.advanceTimersByTime(130)
  using _slow = everyTick(1_000, note('slow'))
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(2_000)
  expect(runs).toHaveLength(6)
  const timesOf = (name: string) =>
    runs.filter((run) => run.startsWith(name)).map((run) => Number(run.split(' ')[1]))
  expect(timesOf('quick')).toEqual(expect.arrayContaining(timesOf('slow')))
  expect(timesOf('quick').map((ms) => ms % 250)).toEqual([0, 0, 0, 0])
})

it('gives other intervals a timer of their own', () => {
  const work = vi.fn<() => void>()
  using _own = everyTick(20, work)
  vi.advanceTimersByTime(100)
  expect(work).toHaveBeenCalledTimes(5)
})

it('ends with the last work', () => {
  const [one, two] = [everyTick(250, vi.fn<() => void>()), everyTick(500, vi.fn<() => void>())]
  one[Symbol.dispose]()
  expect(vi.getTimerCount()).toBe(1)
  two[Symbol.dispose]()
  expect(vi.getTimerCount()).toBe(0)
})
