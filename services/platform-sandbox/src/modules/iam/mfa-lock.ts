import { problem } from '@melmastoon/domain'
import type { CredentialRow, MfaState } from './credential-sql.ts'

const FAILURES_MAX = 5
const PERIOD_MS = 5 * 60_000

type Counter = Pick<CredentialRow, 'mfa_failures' | 'mfa_failing_since' | 'totp_last_step'>

/** @throws Problem IAM.MFA_LOCKED after five wrong attempts within five minutes */
export function checkLock(row: Counter, now: Date): void {
  const leftMs = leftMsOf(row, now)
  if (row.mfa_failures < FAILURES_MAX || leftMs <= 0) return
  throw problem('MELMASTOON.IAM.MFA_LOCKED', { retryAfterSeconds: Math.ceil(leftMs / 1_000) })
}

export function afterFailure(row: Counter, now: Date): MfaState {
  const isNewPeriod = leftMsOf(row, now) <= 0
  return {
    lastStep: row.totp_last_step,
    failures: isNewPeriod ? 1 : row.mfa_failures + 1,
    failingSince: isNewPeriod ? now : row.mfa_failing_since,
  }
}

function leftMsOf({ mfa_failing_since: since }: Counter, now: Date): number {
  return since === null ? 0 : since.getTime() + PERIOD_MS - now.getTime()
}
