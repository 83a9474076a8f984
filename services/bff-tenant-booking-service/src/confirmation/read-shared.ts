import { FRESH_SECTION, MISSING_SECTION } from '@melmastoon/bff/sections'
import {
  asAbsent,
  asRejectedRequest,
  type ClientOf,
  type UpstreamCall,
} from '@melmastoon/bff/upstreams'
import type { Cache, CachedBytes, DefinedCache, LoadResult } from '@melmastoon/chassis/cache'
import { createDeadline } from '@melmastoon/chassis/clock'
import { type ReportSection, settleSections } from '@melmastoon/chassis/upstream'
import { isProblem, type Problem, problem, type TenantId } from '@melmastoon/domain'
import type { paymentContract } from '@melmastoon/upstream-contracts/payment'
import type { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import type { guestReservationContract } from '@melmastoon/upstream-contracts/reservation'
import { type PropertyDeps, readProperty } from '../properties/read-property.ts'
import { type BookedDraft, type BookedStay, stayOfDraft, stayOfReservation } from './booked-stay.ts'
import type { ConfirmationRef } from './confirmation-link.ts'
import {
  paymentOfStay,
  type SharedConfirmation,
  type SharedPayment,
  sharePayment,
  sharePrice,
  shareProperty,
  toMoney,
} from './shared-confirmation.ts'

const FRESH_MS = 5 * 60_000
const STALE_IF_ERROR_MS = 10 * 60_000
/** How soon a missing part, or a payment that is still in progress, is read again. */
const INCOMPLETE_MS = 2_000
/** The page is useful without these parts, so it does not wait for the limit of each upstream. */
const PARTS_MS = 1_000
const LOAD_MS = 3_000

export type ConfirmationCache = DefinedCache<'tenantId' | 'reservationId'>

export interface ConfirmationCaches {
  /** The part of a confirmation without personal data. */
  readonly confirmations: ConfirmationCache
}

export function defineConfirmations(cache: Cache): ConfirmationCaches {
  return {
    confirmations: cache.define({
      name: 'confirmation',
      dimensions: ['tenantId', 'reservationId'],
      softTtlMs: FRESH_MS,
      staleWhileRevalidateMs: 0,
      staleIfErrorMs: STALE_IF_ERROR_MS,
      jitter: 0,
      loadTimeoutMs: LOAD_MS,
      followerWaitMs: LOAD_MS,
    }),
  }
}

export interface SharedDeps extends ConfirmationCaches, PropertyDeps {
  readonly upstreams: PropertyDeps['upstreams'] & {
    readonly reservation: Pick<ClientOf<typeof guestReservationContract>, 'get'>
    readonly pricing: Pick<ClientOf<typeof pricingContract>, 'getQuote'>
    readonly payment: Pick<ClientOf<typeof paymentContract>, 'getIntent'>
  }
  readonly reportSection: ReportSection
}

export interface SharedRequest extends ConfirmationRef {
  /** Of our own records, if there is still one. */
  readonly draft: BookedDraft | null
}

/**
 * The cached part. Only a caller that has proved ownership may see it.
 * @throws Problem CONFIRMATION_NOT_FOUND for what is unknown or was never confirmed.
 */
export function readShared(
  deps: SharedDeps,
  request: SharedRequest,
  { deadline, trace }: UpstreamCall,
): Promise<CachedBytes> {
  const { tenantId, reservationId } = request
  return deps.confirmations.get({
    dims: { tenantId, reservationId },
    deadline,
    load: (_signal, loadDeadline) =>
      loadShared(deps, request, { deadline: loadDeadline, trace, tenantId }),
  })
}

export function sharedOf({ body }: CachedBytes): SharedConfirmation {
  return JSON.parse(body.toString()) as SharedConfirmation
}

type TenantCall = UpstreamCall & { readonly tenantId: TenantId }

async function loadShared(
  deps: SharedDeps,
  request: SharedRequest,
  call: TenantCall,
): Promise<LoadResult> {
  const { stay, isOwnRecord } = await readStay(deps, request, call)
  const shared = await readParts(deps, stay, call)
  const sections = {
    ...shared.sections,
    reservation: isOwnRecord ? MISSING_SECTION : FRESH_SECTION,
  }
  const body = JSON.stringify({ ...shared, sections })
  const isFinal = Object.values(sections).every(({ status }) => status === 'fresh')
  return isFinal && !isInProgress(shared.payment) ? { body } : { body, freshForMs: INCOMPLETE_MS }
}

async function readStay(
  { upstreams, reportSection }: SharedDeps,
  { reservationId, draft }: SharedRequest,
  call: TenantCall,
): Promise<{ readonly stay: BookedStay; readonly isOwnRecord: boolean }> {
  try {
    const reservation = await upstreams.reservation
      .get({ params: { reservationId } }, call)
      .catch(asAbsent)
    const stay = reservation && stayOfReservation(reservation)
    if (stay === null) throw confirmationNotFound()
    return { stay, isOwnRecord: false }
  } catch (error) {
    if (isProblem(error) && error.status === 404) throw error
    const stay = draft && stayOfDraft(draft)
    if (stay === null) throw error
    reportSection('reservation', error)
    return { stay, isOwnRecord: true }
  }
}

async function readParts(
  deps: SharedDeps,
  stay: BookedStay,
  call: TenantCall,
): Promise<SharedConfirmation> {
  using parts = createDeadline(PARTS_MS, { parent: call.deadline.signal })
  const partCall = { ...call, deadline: parts }
  const { property, price, payment } = await settleSections(
    {
      property: readHotel(deps, stay, partCall),
      price: readPrice(deps, stay, partCall),
      payment: readPayment(deps, stay, partCall),
    },
    deps.reportSection,
  )
  const section = (isPresent: boolean) => (isPresent ? FRESH_SECTION : MISSING_SECTION)
  return {
    stay,
    total: toMoney(stay.total),
    property: property.value ?? null,
    price: price.value ?? null,
    payment: payment.value ?? paymentOfStay(stay),
    sections: {
      reservation: FRESH_SECTION,
      property: section(property.value !== undefined),
      price: section(price.value !== undefined),
      payment: section(payment.value !== undefined),
    },
  }
}

async function readHotel(deps: SharedDeps, { propertyId }: BookedStay, call: TenantCall) {
  const { property } = await readProperty(deps, { tenantId: call.tenantId, propertyId }, call)
  return shareProperty(property)
}

/** The lines that the guest consented to: those of the quote with the reservation's digest. */
async function readPrice({ upstreams }: SharedDeps, stay: BookedStay, call: TenantCall) {
  const { quoteId, digest } = stay
  if (quoteId === null) throw contractBroken('a reservation without a quote')
  const quote = await upstreams.pricing
    .getQuote({ params: { quoteId } }, call)
    .catch(asRejectedRequest)
  if (quote.digest !== digest) throw contractBroken('the quote has another digest')
  return sharePrice(quote)
}

async function readPayment({ upstreams }: SharedDeps, stay: BookedStay, call: TenantCall) {
  const { paymentIntentId } = stay
  if (paymentIntentId === null) return paymentOfStay(stay)
  const intent = await upstreams.payment
    .getIntent({ params: { paymentIntentId } }, call)
    .catch(asRejectedRequest)
  return sharePayment(intent)
}

function isInProgress({ status }: SharedPayment): boolean {
  return status === 'pending' || status === 'authorized' || status === 'unknown'
}

/** The same for a confirmation that does not exist and for one without proof of ownership (D18). */
export function confirmationNotFound(): Problem {
  return problem('MELMASTOON.BFF.TENANT.CONFIRMATION_NOT_FOUND')
}

function contractBroken(detail: string): Problem {
  return problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN', { detail })
}
