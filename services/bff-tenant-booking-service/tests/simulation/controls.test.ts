import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GUARDS } from './environment/guards.ts'
import { openStore, type SimulationStore } from './environment/simulation-store.ts'
import { findViolation } from './histories/find-violation.ts'

let store: SimulationStore

beforeAll(async () => {
  store = await openStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const HISTORIES_MAX = 2_000

describe('controls: without a guard the simulation finds a violation', () => {
  it.each(GUARDS)(
    '$name',
    async (guard) => {
      if (guard.off !== undefined) await store.execute(guard.off)
      const found = await findViolation(
        { store, ignored: guard.ignored ?? [], ...guard.options?.() },
        HISTORIES_MAX,
      )
      await store.reset()
      if (guard.on !== undefined) await store.execute(guard.on)
      process.stdout.write(
        `${guard.name}: ${found?.message.split('\n')[0]} in history ${found?.no}\n`,
      )
      expect(guard.wasUsed?.() ?? true).toBe(true)
      expect(found).not.toBeNull()
    },
    600_000,
  )
})
