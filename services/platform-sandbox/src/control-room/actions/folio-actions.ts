import { id } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { tenantCall } from '../operator-call.ts'
import { defineAction } from './action.ts'
import { CONTROL_ROOM_ACTOR } from './stay-actions.ts'

const FolioParams = Type.Object({ tenantId: id('tnt'), folioId: id('fol') })
/** In the currency of the folio. */
const AMOUNT_MICRO = '10000000'

export const chargeFolio = defineAction({
  name: 'billing.post-charge',
  path: '/tenants/:tenantId/folios/:folioId/charge',
  summary: 'Post a charge of ten units, in the currency of the folio',
  done: 'The charge is posted.',
  section: 'front-desk',
  params: FolioParams,
  body: Type.Object({}),
  async run(room, { params: { tenantId, folioId } }, operator) {
    const { getFolio, postCharge } = room.modules.billing.handlers
    const call = tenantCall(operator, tenantId)
    const { currency } = await getFolio({ params: { folioId } }, call)
    const amount = { amountMicro: AMOUNT_MICRO, currency }
    const charge = { amount, category: 'minibar', description: 'Minibar' } as const
    const body = { ...charge, actor: CONTROL_ROOM_ACTOR }
    return await postCharge({ params: { folioId }, body }, call)
  },
})

export const payFolio = defineAction({
  name: 'billing.pay-balance',
  path: '/tenants/:tenantId/folios/:folioId/pay',
  summary: 'Record a cash payment of the balance',
  done: 'The payment is recorded.',
  section: 'front-desk',
  params: FolioParams,
  body: Type.Object({}),
  async run(room, { params: { tenantId, folioId } }, operator) {
    const { getFolio, recordPayment } = room.modules.billing.handlers
    const call = tenantCall(operator, tenantId)
    const { balance: amount } = await getFolio({ params: { folioId } }, call)
    const body = { amount, method: 'cash', actor: CONTROL_ROOM_ACTOR } as const
    return await recordPayment({ params: { folioId }, body }, call)
  },
})
