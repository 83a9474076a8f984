import { createDatabase } from '@melmastoon/chassis/db'
import { sweepHolds } from '../../src/modules/inventory/expire-holds.ts'
import { onHoldsExpired } from '../../src/modules/reservation/module.ts'
import type { TestEnvironment } from '../start-sandbox.ts'

/** One sweeper with its own connection, like an instance. */
export function createSweeper(environment: TestEnvironment, batchHolds = 100) {
  const db = createDatabase({ url: environment.relayUrl, poolMax: 1, onError: () => undefined })
  return {
    sweep: () => sweepHolds(db, { instance: 'test', onHoldsExpired, batchHolds }),
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  }
}
