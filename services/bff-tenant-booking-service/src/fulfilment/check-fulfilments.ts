import { createDeadline } from '@melmastoon/chassis/clock'
import { forEachConcurrently } from '@melmastoon/chassis/concurrency'
import type { Logger } from '@melmastoon/chassis/telemetry'
import type { Intent } from '@melmastoon/upstream-contracts/payment'
import type { Reservation } from '@melmastoon/upstream-contracts/reservation'
import { toDue } from '../drafts/draft-sql.ts'
import type { FulfilmentRecord } from './fulfilment.ts'
import { selectSettledSince } from './fulfilment-sql.ts'
import { CONCURRENT_BOOKINGS, type PollerDeps } from './poll-fulfilments.ts'
import { type DraftRef, readBooking } from './settle.ts'

/** The invariants that can be seen from outside: record, payments and reservation compared. */
export type InvariantId = 'F1' | 'F2' | 'F3' | 'F4' | 'F5'

/** A little more than the interval of the job: the next run begins where this one ended. */
const SINCE_MINUTES = 6
const BATCH = 500
const BUDGET_MS = 5_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Compares everything that was settled since the last run with the upstreams. */
export async function checkFulfilments(
  deps: PollerDeps & { readonly logger: Logger },
  signal: AbortSignal,
): Promise<{ checked: number; violations: number; unreadable: number }> {
  const total = { checked: 0, violations: 0, unreadable: 0 }
  let after: { settledAt: string | null; id: string } = { settledAt: null, id: FIRST_ID }
  for (;;) {
    signal.throwIfAborted()
    const limits = { minutes: SINCE_MINUTES, limit: BATCH }
    const rows = await deps.relayDb.query(selectSettledSince(after, limits))
    await forEachConcurrently(rows.map(toDue), CONCURRENT_BOOKINGS, async (ref) => {
      const violated = await checkOne(deps, ref).catch(() => null)
      if (violated === null) total.unreadable += 1
      else total.checked += 1
      total.violations += violated?.length ?? 0
      for (const id of violated ?? []) reportViolation(deps, ref, id)
    })
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return total
    after = { settledAt: last.settled_at, id: last.id }
  }
}

function reportViolation(
  { fulfilment, logger }: PollerDeps & { readonly logger: Logger },
  { tenantId, draftId }: DraftRef,
  id: InvariantId,
): void {
  fulfilment.invariantViolations.inc({ id })
  logger.error({ tenantId, draftId, code: id }, 'invariant violated')
}

async function checkOne(deps: PollerDeps, ref: DraftRef): Promise<readonly InvariantId[]> {
  using deadline = createDeadline(BUDGET_MS)
  const booking = await readBooking(deps.db.scoped(ref.tenantId), ref.draftId)
  if (booking === null || booking.record === null) return []
  const { record, attempts } = booking
  const call = { tenantId: ref.tenantId, deadline }
  const { reservation, payment } = deps.upstreams
  const params = { reservationId: record.reservationId }
  const stay = await reservation.get({ params }, call)
  const known = attempts.flatMap(({ intentId }) => (intentId === null ? [] : [intentId]))
  const intents = await Promise.all(
    known.map((paymentIntentId) => payment.getIntent({ params: { paymentIntentId } }, call)),
  )
  return violations({ record, stay, intents })
}

/** Refunds after the confirmation are made by the hotel. */
const PAID: ReadonlySet<Intent['status']> = new Set([
  'captured',
  'pending_cash',
  'refunded',
  'partially_refunded',
])

export interface Settled {
  readonly record: FulfilmentRecord
  readonly stay: Reservation
  readonly intents: readonly Intent[]
}

function violations({ record, stay, intents }: Settled): InvariantId[] {
  const withMoney = intents.filter(
    ({ status }) => status === 'captured' || status === 'partially_refunded',
  )
  const found: InvariantId[] = []
  if (record.state === 'confirmed') {
    if (stay.payment?.paymentIntentId !== record.intentId) found.push('F2')
    const { amountMicro, currency } = record.amount
    if (stay.total.amountMicro !== amountMicro || stay.total.currency !== currency) found.push('F5')
    const paying = intents.find(({ paymentIntentId }) => paymentIntentId === record.intentId)
    if (paying !== undefined && !PAID.has(paying.status)) found.push('F1')
    if (withMoney.some(({ paymentIntentId }) => paymentIntentId !== record.intentId)) {
      found.push('F3')
    }
  } else {
    const isOurs = stay.payment?.paymentIntentId === record.intentId && record.intentId !== null
    if (stay.status === 'confirmed' && isOurs) found.push('F4')
    if (withMoney.length > 0) found.push('F1')
  }
  return found
}
