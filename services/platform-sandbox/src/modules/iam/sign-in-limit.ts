import { hash } from 'node:crypto'
import { problem } from '@melmastoon/domain'
import type { IamHost } from './iam.ts'
import { countFailure, deleteFailures, selectFailures } from './sign-in-failure-sql.ts'

const FAILURES_MAX = 10
const PERIOD_MS = 5 * 60_000

type LimitHost = Pick<IamHost, 'db' | 'clock'>

/** Wrong passwords of one account; known and unknown accounts are counted alike. */
export function signInLimit({ db, clock }: LimitHost, account: readonly [string, string]) {
  const accountHash = hash('sha256', JSON.stringify(account), 'base64url')
  return {
    /** @throws Problem RATE_LIMITED */
    async check(): Promise<void> {
      const [row] = await db.query(selectFailures(accountHash))
      if (row === undefined || row.failures < FAILURES_MAX) return
      const leftMs = row.since.getTime() + PERIOD_MS - clock.nowMs()
      if (leftMs <= 0) return
      throw problem('MELMASTOON.GENERAL.RATE_LIMITED', {
        retryAfterSeconds: Math.ceil(leftMs / 1_000),
      })
    },
    async count(): Promise<void> {
      const now = clock.now()
      const periodStart = new Date(now.getTime() - PERIOD_MS)
      await db.query(countFailure(accountHash, { now, periodStart }))
    },
    async clear(): Promise<void> {
      await db.query(deleteFailures(accountHash))
    },
  }
}
