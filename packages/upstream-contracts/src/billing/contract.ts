import { type Static, Type } from 'typebox'
import { defineContract } from '../contract.ts'
import {
  CausationId,
  currency,
  id,
  instant,
  MicroMoney,
  ResourceHistory,
  StaffChange,
  text,
} from '../schemas.ts'

/**
 * `pending` before check-in, `open` during the stay; after check-out `balance_due` or `settled`.
 * A closed folio no longer changes.
 */
export const FOLIO_STATUSES = ['pending', 'open', 'balance_due', 'settled', 'closed'] as const
export type FolioStatus = (typeof FOLIO_STATUSES)[number]

export const CHARGE_CATEGORIES = [
  'room',
  'tax',
  'restaurant',
  'minibar',
  'laundry',
  'telephone',
  'transport',
  'damage',
  'other',
] as const
export type ChargeCategory = (typeof CHARGE_CATEGORIES)[number]

export const FOLIO_PAYMENT_METHODS = ['cash', 'card', 'mobile_money', 'bank_transfer'] as const
export type FolioPaymentMethod = (typeof FOLIO_PAYMENT_METHODS)[number]

const Status = Type.Enum([...FOLIO_STATUSES])

/** The member of staff and the cause; missing for entries of the platform. */
const cause = {
  operatorId: Type.Optional(id('opr')),
  causationId: Type.Optional(CausationId),
}

export const Charge = Type.Object({
  chargeId: id('chg'),
  folioId: id('fol'),
  amount: MicroMoney,
  category: Type.Enum([...CHARGE_CATEGORIES]),
  description: text(200),
  postedAt: instant(),
  /** The charge no longer counts: the guest cancelled or did not arrive. */
  voidedAt: Type.Optional(instant()),
  ...cause,
})
export type Charge = Static<typeof Charge>

export const FolioPayment = Type.Object({
  /** The position within the folio, from 1. */
  sequence: Type.Integer({ minimum: 1 }),
  amount: MicroMoney,
  method: Type.Enum([...FOLIO_PAYMENT_METHODS]),
  /** For payments through the payment service. */
  paymentIntentId: Type.Optional(id('pyi')),
  recordedAt: instant(),
  ...cause,
})
export type FolioPayment = Static<typeof FolioPayment>

export const FolioSummary = Type.Object({
  folioId: id('fol'),
  reservationId: id('rsv'),
  propertyId: id('ppt'),
  status: Status,
  currency: currency(),
  charged: MicroMoney,
  paid: MicroMoney,
  /** `charged` less `paid`; negative when the hotel owes the guest. */
  balance: MicroMoney,
  version: Type.Integer({ minimum: 1 }),
  createdAt: instant(),
  updatedAt: instant(),
  openedAt: Type.Optional(instant()),
  closedAt: Type.Optional(instant()),
})
export type FolioSummary = Static<typeof FolioSummary>

export const Folio = Type.Object({
  ...FolioSummary.properties,
  charges: Type.Array(Charge, { maxItems: 1_000 }),
  payments: Type.Array(FolioPayment, { maxItems: 1_000 }),
  history: ResourceHistory(Status),
})
export type Folio = Static<typeof Folio>

const FolioParams = Type.Object({ folioId: id('fol') })

const onFolio = { params: FolioParams, tenantScoped: true } as const
const change = { ...onFolio, method: 'POST', idempotent: true } as const

const NOT_CHANGED = [
  'MELMASTOON.BILLING.FOLIO_NOT_FOUND',
  'MELMASTOON.BILLING.FOLIO_CLOSED',
  'MELMASTOON.BILLING.VERSION_CONFLICT',
] as const

const AMOUNT_REJECTED = [
  'MELMASTOON.BILLING.CURRENCY_MISMATCH',
  'MELMASTOON.BILLING.NEGATIVE_AMOUNT',
] as const

export const billingContract = defineContract({
  upstream: 'billing',
  basePath: '/api/v1',
  operations: {
    listFolios: {
      method: 'GET',
      path: '/properties/:propertyId/folios',
      summary: 'The folios of these reservations, or else those with this status; by id',
      params: Type.Object({ propertyId: id('ppt') }),
      query: Type.Object({
        /** Up to 200 ids, separated by commas. */
        reservationIds: Type.Optional(Type.String({ minLength: 30, maxLength: 6_400 })),
        status: Type.Optional(Status),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 200 })),
        /** The `nextCursor` of the previous page. */
        cursor: Type.Optional(id('fol')),
      }),
      response: Type.Object({
        folios: Type.Array(FolioSummary, { maxItems: 200 }),
        nextCursor: Type.Optional(id('fol')),
      }),
      tenantScoped: true,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND', 'MELMASTOON.GENERAL.VALIDATION_FAILED'],
    },
    getFolio: {
      ...onFolio,
      method: 'GET',
      path: '/folios/:folioId',
      summary: 'A folio with its charges, payments and history',
      response: Folio,
      errorCodes: ['MELMASTOON.BILLING.FOLIO_NOT_FOUND'],
    },
    postCharge: {
      ...change,
      path: '/folios/:folioId/charges',
      summary: 'Post a charge; once for each causation id, also without its idempotency key',
      status: 201,
      body: Type.Object({
        amount: MicroMoney,
        category: Type.Enum([...CHARGE_CATEGORIES]),
        description: text(200),
        ...StaffChange,
      }),
      response: Type.Object({ charge: Charge, folio: FolioSummary }),
      errorCodes: [...NOT_CHANGED, ...AMOUNT_REJECTED],
    },
    findCharge: {
      method: 'GET',
      path: '/folios/:folioId/charges/by-causation/:causationId',
      summary: 'The charge that this cause posted, also long after its idempotency key has expired',
      params: Type.Object({ folioId: id('fol'), causationId: CausationId }),
      response: Charge,
      tenantScoped: true,
      errorCodes: ['MELMASTOON.BILLING.FOLIO_NOT_FOUND', 'MELMASTOON.BILLING.CHARGE_NOT_FOUND'],
    },
    recordPayment: {
      ...change,
      path: '/folios/:folioId/payments',
      summary: 'Record a payment at the front desk',
      status: 201,
      body: Type.Object({
        amount: MicroMoney,
        method: Type.Enum([...FOLIO_PAYMENT_METHODS]),
        ...StaffChange,
      }),
      response: Type.Object({ payment: FolioPayment, folio: FolioSummary }),
      errorCodes: [...NOT_CHANGED, ...AMOUNT_REJECTED],
    },
    closeFolio: {
      ...change,
      path: '/folios/:folioId/close',
      summary: 'Close a settled folio; it no longer changes',
      body: Type.Object(StaffChange),
      response: Folio,
      errorCodes: [...NOT_CHANGED, 'MELMASTOON.BILLING.ILLEGAL_TRANSITION'],
    },
  },
})
