import { id } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { defineAction } from './action.ts'

export const expireHold = defineAction({
  name: 'reservation.expire-hold',
  path: '/tenants/:tenantId/reservations/:reservationId/expire-hold',
  summary: 'Expire the hold of a reservation now',
  done: 'The hold has expired.',
  section: 'hotel',
  params: Type.Object({ tenantId: id('tnt'), reservationId: id('rsv') }),
  body: Type.Object({}),
  run: (room, { params }) => room.modules.reservation.expireHold(params),
})
