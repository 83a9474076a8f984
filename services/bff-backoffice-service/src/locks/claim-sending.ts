import { noteSending, toRecord } from './lock-action-sql.ts'
import type { ClaimSending } from './lock-deps.ts'
import { LEASE_MS } from './lock-schedule.ts'

/**
 * Only one attempt sends the command of an action at a time: a rejection of one says nothing about
 * another that is executed meanwhile. Whatever is recorded about the action ends the lease.
 */
export const claimSending: ClaimSending = async ({ db }, { action, holdsLease }, { deadline }) => {
  const sending = { leaseMs: LEASE_MS, holdsLease, keyId: action.keyId }
  const [row] = await db.tenantQuery(action.tenantId, noteSending(action, sending), { deadline })
  return row === undefined ? null : toRecord(row)
}
