import type { ClientOf } from '@melmastoon/bff/upstreams'
import type { Clock } from '@melmastoon/chassis/clock'
import { paymentContract } from '@melmastoon/upstream-contracts/payment'
import { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { guestReservationContract } from '@melmastoon/upstream-contracts/reservation'
import { AuditLog } from './upstream/audit-log.ts'
import { type Handler, KeyedCalls } from './upstream/keyed-calls.ts'
import { simulatedIds } from './upstream/simulated-ids.ts'
import { SimulatedPayments } from './upstream/simulated-payments.ts'
import { SimulatedPricing } from './upstream/simulated-pricing.ts'
import { SimulatedReservations } from './upstream/simulated-reservations.ts'
import { SimulatedRooms } from './upstream/simulated-rooms.ts'
import { SimulatedTenants } from './upstream/simulated-tenants.ts'

export type ReservationClient = ClientOf<typeof guestReservationContract>
export type PaymentClient = ClientOf<typeof paymentContract>
export type PricingClient = Pick<
  ClientOf<typeof pricingContract>,
  'createQuote' | 'getQuote' | 'recheckQuote'
>

export interface UpstreamClients {
  readonly reservation: ReservationClient
  readonly payment: PaymentClient
  readonly pricing: PricingClient
}

/**
 * Reservation, payment and pricing in memory: every call is atomic, time comes from the given clock
 * and ids are counted, so that equal calls at equal times have equal effects.
 */
export function createSimulatedUpstream(clock: Clock) {
  const newId = simulatedIds()
  const audit = new AuditLog(clock)
  const calls = new KeyedCalls(clock, audit)
  const tenants = new SimulatedTenants()
  const rooms = new SimulatedRooms(clock, newId)
  const pricing = new SimulatedPricing(clock, newId)
  const payments = new SimulatedPayments({ clock, newId, audit, tenants })
  const reservations = new SimulatedReservations({ clock, newId, rooms, pricing, audit, tenants })
  const clients: UpstreamClients = {
    reservation: calls.clientOf(
      guestReservationContract,
      reservationHandlers(reservations),
    ) as ReservationClient,
    payment: calls.clientOf(paymentContract, paymentHandlers(payments, tenants)) as PaymentClient,
    pricing: calls.clientOf(pricingContract, pricingHandlers(pricing, tenants)) as PricingClient,
  }
  return {
    clients,
    audit,
    tenants,
    rooms,
    pricing,
    reservations,
    payments,
    /** The periodic jobs: responses of phones, expired payments and expired holds. */
    runJobs() {
      payments.runJobs()
      rooms.sweep()
    },
  }
}

export type SimulatedUpstream = ReturnType<typeof createSimulatedUpstream>

type HandlersOf<C extends object> = {
  readonly [N in keyof C]: C[N] extends (input: infer I, call: never) => Promise<infer R>
    ? (input: I, call: Parameters<Handler>[1]) => R
    : never
}

function reservationHandlers(reservations: SimulatedReservations) {
  return {
    hold: (input, call) => reservations.hold(input, call),
    get: ({ params }, { tenantId }) => reservations.get(tenantId, params.reservationId),
    getByKey: ({ params }, { tenantId }) => reservations.getByKey(tenantId, params.key),
    extend: (input, call) => reservations.extend(input, call),
    reprice: (input, call) => reservations.reprice(input, call),
    confirm: (input, call) => reservations.confirm(input, call),
    cancel: (input, call) => reservations.cancel(input, call),
  } satisfies HandlersOf<ReservationClient>
}

function paymentHandlers(payments: SimulatedPayments, tenants: SimulatedTenants) {
  return {
    createIntent: (input, call) => payments.create(input, call),
    getIntent: ({ params }, { tenantId }) => payments.get(tenantId, params.paymentIntentId),
    getByKey: ({ params }, { tenantId }) => payments.getByKey(tenantId, params.key),
    captureIntent: (input, call) => payments.capture(input, call),
    cancelIntent: (input, call) => payments.cancel(input, call),
    confirmCash: ({ params }, { tenantId }) =>
      payments.receiveCash(tenantId, params.paymentIntentId),
    createRefund: (input, call) => payments.refund(input, call),
    listRefunds: ({ params }, { tenantId }) =>
      payments.listRefunds(tenantId, params.paymentIntentId),
    listMethods: (_, { tenantId }) => tenants.methods(tenantId),
    tokenizePhone: ({ body }, { tenantId }) => payments.tokenizePhone(tenantId, body.phone),
  } satisfies HandlersOf<PaymentClient>
}

function pricingHandlers(pricing: SimulatedPricing, tenants: SimulatedTenants) {
  return {
    createQuote: (input, { tenantId }) => {
      tenants.requireSelling(tenantId)
      return pricing.create(tenantId, input)
    },
    getQuote: ({ params }, { tenantId }) => pricing.find(tenantId, params.quoteId),
    recheckQuote: ({ params }, { tenantId }) => pricing.recheck(tenantId, params.quoteId),
  } satisfies HandlersOf<PricingClient>
}
