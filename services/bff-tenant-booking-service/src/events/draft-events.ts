import { defineEvent, MarketingAttribution } from '@melmastoon/events'
import { Type } from 'typebox'
import {
  amountMinor,
  byDraft,
  currency,
  deviceClass,
  hashed,
  id,
  instant,
  method,
  milliseconds,
  money,
  nullable,
  payload,
  problemCode,
  regulatedSevenYears,
  regulatedThreeYears,
  shortName,
} from './fields.ts'

const ERRORS_MAX = 50

const date = () => Type.String({ format: 'date' })
const ofDraft = { tenantId: id('tnt'), draftId: id('bdr'), sessionId: id('tnt_session') }

/** The first hold of a draft was placed. */
export const draftCreated = defineEvent({
  ...regulatedThreeYears,
  subject: 'melmastoon.bff.tenant.booking.draft.created.v1',
  piiAllowed: ['holdExpiresAt', 'promoCode'],
  payload: payload({
    ...ofDraft,
    reservationId: id('rsv'),
    holdExpiresAt: instant(),
    propertyId: id('ppt'),
    roomTypeId: id('rmt'),
    ratePlanId: id('rate'),
    stayWindow: payload({
      checkIn: date(),
      checkOut: date(),
      nights: Type.Integer({ minimum: 1, maximum: 366 }),
    }),
    occupancy: payload({
      adults: Type.Integer({ minimum: 1, maximum: 30 }),
      children: Type.Integer({ minimum: 0, maximum: 20 }),
      rooms: Type.Integer({ minimum: 1, maximum: 10 }),
    }),
    totalDisplay: money(),
    promoCode: nullable(Type.String({ pattern: '^[A-Za-z0-9_-]{1,32}$' })),
    deviceClass: deviceClass(),
    handoffArrivalId: nullable(id('bha')),
  }),
  orderingKey: byDraft,
})

/** A draft ended without a booking. */
export const draftAbandoned = defineEvent({
  ...regulatedThreeYears,
  subject: 'melmastoon.bff.tenant.booking.draft.abandoned.v1',
  piiAllowed: [
    'lastFlowState',
    'abandonedAt',
    'lastActivityAt',
    'atState',
    'errorCode',
    'guestEmailHash',
  ],
  payload: payload({
    ...ofDraft,
    lastFlowState: shortName(),
    createdAt: instant(),
    abandonedAt: instant(),
    lastActivityAt: instant(),
    propertyId: id('ppt'),
    roomTypeId: id('rmt'),
    totalDisplayPotential: money(),
    errorTrail: Type.Array(
      payload({ atState: shortName(), errorCode: problemCode(), occurredAt: instant() }),
      { maxItems: ERRORS_MAX },
    ),
    guestEmailHash: nullable(hashed()),
  }),
  orderingKey: byDraft,
})

/** A draft became a confirmed reservation. Cash on arrival captures 0. */
export const draftConverted = defineEvent({
  ...regulatedSevenYears,
  subject: 'melmastoon.bff.tenant.booking.draft.converted.v1',
  piiAllowed: [
    'convertedAt',
    'totalCapturedMinor',
    'totalCapturedCurrency',
    'paymentMethod',
    'paymentProvider',
  ],
  payload: payload({
    ...ofDraft,
    reservationId: id('rsv'),
    createdAt: instant(),
    convertedAt: instant(),
    elapsedMs: milliseconds(),
    propertyId: id('ppt'),
    roomTypeId: id('rmt'),
    ratePlanId: id('rate'),
    totalCapturedMinor: amountMinor(),
    totalCapturedCurrency: currency(),
    paymentMethod: method(),
    paymentProvider: nullable(shortName()),
    marketingAttribution: nullable(MarketingAttribution),
    handoffArrivalId: nullable(id('bha')),
    deviceClass: deviceClass(),
  }),
  orderingKey: byDraft,
})
