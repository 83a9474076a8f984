import { defineEvent } from '@melmastoon/events'
import { causationId, closed, code, id, instant, Money, version } from './fields.ts'

const Folio = {
  tenantId: id('tnt'),
  propertyId: id('ppt'),
  folioId: id('fol'),
  reservationId: id('rsv'),
  status: code(),
  version: version(),
  occurredAt: instant(),
  causationId: causationId(),
}

const folioEvent = {
  version: 1,
  producer: 'billing-service',
  retentionClass: 'regulated',
  retentionDays: 2_557,
  sampleRate: 1,
  piiAllowed: ['folioId', 'status', 'version', 'causationId'],
  payload: closed(Folio),
  orderingKey: (payload: { folioId: string }) => payload.folioId,
} as const

/** At check-in: from now on the guest can charge to the room. */
export const folioOpened = defineEvent({
  ...folioEvent,
  subject: 'melmastoon.billing.folio.opened.v1',
})

export const folioChargePosted = defineEvent({
  ...folioEvent,
  subject: 'melmastoon.billing.folio.charge_posted.v1',
  piiAllowed: [...folioEvent.piiAllowed, 'chargeId', 'category', 'amountMicro'],
  payload: closed({ ...Folio, chargeId: id('chg'), category: code(), amount: Money }),
})

export const folioPaymentRecorded = defineEvent({
  ...folioEvent,
  subject: 'melmastoon.billing.folio.payment_recorded.v1',
  piiAllowed: [...folioEvent.piiAllowed, 'amountMicro'],
  payload: closed({ ...Folio, amount: Money }),
})

export const folioClosed = defineEvent({
  ...folioEvent,
  subject: 'melmastoon.billing.folio.closed.v1',
})
