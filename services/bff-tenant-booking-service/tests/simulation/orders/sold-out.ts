import { newId } from '@melmastoon/domain'
import { type Directed, type DirectedOptions, openDirected } from './paid-booking.ts'

export interface SoldOut extends Directed {
  /** The other guest's stay is cancelled. */
  readonly freeRoom: () => void
  /** The first confirmation was delayed on its way until nobody remembers its key. */
  readonly confirmLate: () => Promise<unknown>
}

/** Mobile money of a phone that never responds by itself: the guest pays late. */
export const SILENT_PHONE = 1 + 3 * 3
const HOLD_MS = 10 * 60_000
const DAY_MS = 86_400_000

/** Captured after the hold has expired and another guest has taken the only room. */
export async function openSoldOut(
  options: DirectedOptions,
  method = SILENT_PHONE,
): Promise<SoldOut> {
  const directed = await openDirected(options)
  const { simulation, guest } = directed
  simulation.isCalm = true
  guest.pay(method)
  await directed.run()
  simulation.isCalm = false
  const { upstream, hotel, scheduler } = simulation
  const { tenantId } = hotel
  scheduler.clock.advance(HOLD_MS)
  const other = takeRoom(directed)
  upstream.payments.pay(tenantId, directed.intent().paymentIntentId)
  const freeRoom = () => {
    const params = { reservationId: other.reservationId }
    const body = { reasonCode: 'staff' }
    upstream.reservations.cancel({ params, body }, { tenantId, key: 'staff' })
  }
  return {
    ...directed,
    freeRoom,
    async confirmLate() {
      const first = upstream.audit.entries.find(
        (entry) => entry.kind === 'call' && entry.operation === 'reservation.confirm',
      )
      if (first?.kind !== 'call') throw new TypeError('nothing was confirmed')
      freeRoom()
      directed.pass(DAY_MS + HOLD_MS)
      const input = first.input as Parameters<typeof upstream.reservations.confirm>[0]
      const call = { tenantId, idempotencyKey: first.key ?? '', deadline }
      return await upstream.clients.reservation.confirm(input, call)
    },
  }
}

const deadline = {
  signal: new AbortController().signal,
  remainingMs: () => 1_000,
  [Symbol.dispose]: () => undefined,
}

/** Sold at the desk of the hotel. */
function takeRoom({ simulation }: Directed) {
  const { upstream, hotel } = simulation
  const { tenantId } = hotel
  const quote = hotel.quote()
  if (quote === null) throw new TypeError('no rate')
  const draftId = newId('bdr')
  const body = { quoteId: quote.quoteId, draftId, guestLocale: 'en' as const }
  return upstream.reservations.hold({ body }, { tenantId, key: 'desk' })
}
