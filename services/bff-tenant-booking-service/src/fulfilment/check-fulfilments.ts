import { createDeadline } from '@melmastoon/chassis/clock'
import type { Logger } from '@melmastoon/chassis/telemetry'
import type { Intent } from '@melmastoon/upstream-contracts/payment'
import type { Reservation } from '@melmastoon/upstream-contracts/reservation'
import { toDue } from '../drafts/draft-sql.ts'
import type { FulfilmentRecord } from './fulfilment.ts'
import { selectRecentlySettled } from './fulfilment-sql.ts'
import { forEachOf, type PollerDeps } from './poll-fulfilments.ts'
import { type DraftRef, readBooking } from './settle.ts'

/** The invariants that can be seen from outside: record, payments and reservation compared. */
export type InvariantId = 'F1' | 'F2' | 'F3' | 'F4' | 'F5'

const SINCE_MINUTES = 12
const LIMIT = 2_000
const BUDGET_MS = 5_000

/** Compares what was settled recently with the upstreams; overlapping runs miss nothing. */
export async function checkFulfilments(
  deps: PollerDeps & { readonly logger: Logger },
  signal: AbortSignal,
): Promise<{ checked: number; violations: number; unreadable: number }> {
  const rows = await deps.relayDb.query(selectRecentlySettled(SINCE_MINUTES, LIMIT))
  const total = { checked: 0, violations: 0, unreadable: 0 }
  await forEachOf(rows.map(toDue), async (ref) => {
    if (signal.aborted) return
    const violated = await checkOne(deps, ref).catch(() => null)
    if (violated === null) {
      total.unreadable += 1
      return
    }
    total.checked += 1
    total.violations += violated.length
    for (const id of violated) {
      deps.fulfilment.invariantViolations.inc({ id })
      deps.logger.error(
        { tenantId: ref.tenantId, draftId: ref.draftId, code: id },
        'invariant violated',
      )
    }
  })
  return total
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
