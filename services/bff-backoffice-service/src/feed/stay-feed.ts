import type { EventHandler } from '@melmastoon/chassis/inbox'
import {
  folioChargePosted,
  folioClosed,
  folioOpened,
  folioPaymentRecorded,
  reservationCancelled,
  reservationCheckedIn,
  reservationCheckedOut,
  reservationConfirmed,
  reservationNoShow,
  reservationRoomAssigned,
} from '@melmastoon/platform-events'
import { boardChange, type FeedDeps } from './change.ts'
import { feed, pick } from './feed-handler.ts'

/** Reservations of guests, what the desk does with them, and their folios. */
export function stayFeed(deps: FeedDeps): EventHandler[] {
  return [
    ...feed(deps, [reservationConfirmed, reservationCancelled], (payload, type) =>
      boardChange(payload, 'stays', { type, data: pick(payload, ['reservationId', 'status']) }),
    ),
    ...feed(
      deps,
      [reservationCheckedIn, reservationCheckedOut, reservationNoShow, reservationRoomAssigned],
      (payload, type) => {
        const data = pick(payload, ['reservationId', 'status', 'version', 'causationId'])
        return boardChange(payload, 'stays', { type, data })
      },
    ),
    ...feed(
      deps,
      [folioOpened, folioChargePosted, folioPaymentRecorded, folioClosed],
      (payload, type) => {
        const names = ['folioId', 'reservationId', 'status', 'version', 'causationId'] as const
        return boardChange(payload, 'folios', { type, data: pick(payload, names) })
      },
    ),
  ]
}
