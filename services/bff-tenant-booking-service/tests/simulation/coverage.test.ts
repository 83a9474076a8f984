import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore, type SimulationStore } from './environment/simulation-store.ts'
import { unreached } from './histories/coverage.ts'
import { coverCalls } from './orders/covering.ts'

let store: SimulationStore

beforeAll(async () => {
  store = await openStore()
})
afterAll(() => store[Symbol.asyncDispose]())

it('F1-F12 hold for every row of the tables of calls, late payments and order', async () => {
  expect(unreached(await coverCalls(store))).toEqual([])
}, 60_000)
