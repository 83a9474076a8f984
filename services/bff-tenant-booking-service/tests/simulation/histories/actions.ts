import { NIGHT_MICRO } from '../environment/hotel.ts'
import type { Simulation } from '../environment/simulation.ts'
import type { StoredIntent } from '../upstream/stored-intent.ts'
import type { Guest } from './guest.ts'

export interface Acting {
  readonly simulation: Simulation
  readonly guest: Guest
  readonly detail: number
}

type Perform = (acting: Acting) => void

/** Everything that may happen in a history, with how often it is chosen; the first is simplest. */
export const ACTIONS: readonly (readonly [name: string, weight: number, perform: Perform])[] = [
  ['next', 50, ({ guest, detail }) => guest.next(detail)],
  ['payer', 8, ({ guest, detail }) => guest.payer(detail)],
  ['return', 5, ({ guest }) => guest.settle('return')],
  ['confirm', 5, ({ guest }) => guest.settle('confirm')],
  ['switch', 5, ({ guest, detail }) => guest.pay(detail)],
  ['repeat', 4, ({ guest }) => guest.repeat()],
  ['delete', 3, ({ guest }) => guest.settle('delete')],
  ['extend', 3, ({ guest }) => guest.settle('extend')],
  ['hold again', 3, ({ guest }) => guest.holdAgain()],
  ['details', 2, ({ guest, detail }) => guest.details(detail)],
  ['accept', 3, ({ guest }) => guest.accept()],
  ['price', 3, ({ simulation, detail }) => changePrice(simulation, detail)],
  ['staff refund', 2, (acting) => staffRefund(acting)],
  ['staff capture', 1, (acting) => staffCapture(acting)],
  ['staff cancel', 1, (acting) => staffCancel(acting)],
  ['authorization expires', 1, (acting) => expireAuthorization(acting)],
  ['captured after cancellation', 1, (acting) => captureAnyway(acting)],
  ['suspension', 2, ({ simulation }) => simulation.suspend(!simulation.isSuspended)],
  ['clock', 2, ({ simulation, detail }) => changeClock(simulation, detail)],
]

const WEIGHTED = ACTIONS.flatMap(([name, weight, perform]) =>
  Array.from({ length: weight }, () => ({ name, perform })),
)

export function actionOf(kind: number): { readonly name: string; readonly perform: Perform } {
  const action = WEIGHTED[kind % WEIGHTED.length]
  if (action === undefined) throw new TypeError('no actions')
  return action
}

function changePrice({ upstream, hotel }: Simulation, detail: number): void {
  const prices = [NIGHT_MICRO + 10_000_000n, NIGHT_MICRO, NIGHT_MICRO - 10_000_000n, null]
  upstream.pricing.changePrice(hotel.propertyId, prices[detail % prices.length] ?? null)
}

/** An intent of the guest's draft in one of these states. */
function intentOf({ simulation, guest }: Acting, states: readonly string[]) {
  const draftId = guest.draft()?.draftId
  return simulation.upstream.payments
    .all()
    .findLast(({ draftRef, status }) => draftRef === draftId && states.includes(status))
}

function staffRefund(acting: Acting): void {
  const { simulation, detail } = acting
  const intent = intentOf(acting, ['captured'])
  if (intent === undefined) return
  const { tenantId } = simulation.hotel
  const micro = detail % 2 === 0 ? intent.capturedMicro : intent.capturedMicro / 2n
  const amount = { amountMicro: String(micro), currency: intent.currency }
  const params = { paymentIntentId: intent.paymentIntentId }
  const input = { params, body: { amount, reasonCode: 'staff' } }
  simulation.upstream.payments.refund(input, { tenantId }, 'staff')
  simulation.count(`staff refund ${stateOf(acting)}`)
}

/** Less than authorised. */
function staffCapture(acting: Acting): void {
  const { simulation } = acting
  const intent = intentOf(acting, ['authorized'])
  if (intent === undefined || intent.cardToken === 'tok_capture_declined') return
  const { tenantId } = simulation.hotel
  const amount = { amountMicro: String(intent.amountMicro / 2n), currency: intent.currency }
  const input = { params: { paymentIntentId: intent.paymentIntentId }, body: { amount } }
  simulation.upstream.payments.capture(input, { tenantId }, 'staff')
  simulation.count('staff capture')
}

function staffCancel(acting: Acting): void {
  const { simulation, guest } = acting
  const draftId = guest.draft()?.draftId
  const stay = simulation.upstream.reservations
    .all()
    .findLast((other) => other.draftId === draftId && other.status === 'held')
  if (stay === undefined) return
  const { tenantId } = simulation.hotel
  const params = { reservationId: stay.reservationId }
  const call = { tenantId, key: 'staff' }
  simulation.upstream.reservations.cancel({ params, body: { reasonCode: 'staff' } }, call)
  simulation.count('staff cancel')
}

function expireAuthorization(acting: Acting): void {
  const { simulation } = acting
  const intent = intentOf(acting, ['authorized'])
  if (intent === undefined) return
  const { payments } = simulation.upstream
  const expiresAtMs = simulation.scheduler.clock.nowMs()
  payments.setTimes(simulation.hotel.tenantId, intent.paymentIntentId, { expiresAtMs })
  payments.runJobs()
  simulation.count('authorization expired')
}

/** Some providers cannot stop a payment that was cancelled (E9). */
function captureAnyway(acting: Acting): void {
  const { simulation } = acting
  const intent = intentOf(acting, ['cancelled', 'failed'])
  if (intent === undefined) return
  settleAnyway(simulation, intent)
}

export function settleAnyway(simulation: Simulation, { paymentIntentId }: StoredIntent): void {
  simulation.sureWebhooks.add(paymentIntentId)
  simulation.upstream.payments.settleAnyway(simulation.hotel.tenantId, paymentIntentId)
  simulation.count('captured after cancellation')
}

function stateOf({ simulation, guest }: Acting): string {
  const draftId = guest.draft()?.draftId
  return simulation.rows.records.find((other) => other.draftId === draftId)?.state ?? 'none'
}

const OFFSETS_MS = [600_000, -600_000, 0, 30_000]

/** The clock of one machine is wrong; the database's is not. */
function changeClock(simulation: Simulation, detail: number): void {
  const slot = simulation.slots[detail % simulation.slots.length]
  if (slot === undefined) return
  slot.offsetMs = OFFSETS_MS[Math.floor(detail / 2) % OFFSETS_MS.length] ?? 0
  simulation.count('clock changed')
}
