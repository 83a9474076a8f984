import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Clock } from '@melmastoon/chassis/clock'
import { fromUpstreamRejection, UpstreamRejection } from '@melmastoon/chassis/upstream'
import {
  type CurrencyCode,
  type FieldError,
  fieldError,
  isProblem,
  type Locale,
  type ProblemCode,
  type PropertyId,
  problem,
  type TenantId,
  throwIfInvalid,
  validateOccupancy,
  validateStayDates,
} from '@melmastoon/domain'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import { checkArrival } from '../availability/stay-request.ts'
import { type PropertyDeps, readProperty } from '../properties/read-property.ts'
import { describeQuote } from './describe-quote.ts'
import { type QuoteStoreDeps, storeQuote } from './quote-store.ts'
import type { QuoteBody, QuoteVM } from './quote-view.ts'

export type QuoteDeps = PropertyDeps & QuoteStoreDeps & { readonly clock: Clock }

export interface QuoteRequest extends UpstreamCall {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly body: QuoteBody
  readonly locale: Locale
  readonly currency: CurrencyCode
  /** The idempotency key of an upstream call, the same in every attempt of this request. */
  readonly upstreamKey: (step: string) => string
}

/** @throws Problem why there is no price, or QUOTE_UNAVAILABLE (F-4: pricing is called once). */
export async function createQuote(deps: QuoteDeps, request: QuoteRequest): Promise<QuoteVM> {
  const { body, locale } = request
  throwIfInvalid(validateBody(body, deps.clock.now()))
  const { property } = await readProperty(deps, request, request)
  const { timeZone } = property
  checkArrival({ stay: body.stay, timeZone, now: deps.clock.now(), at: '/stay' })
  const quote = await requestQuote(deps, request)
  const view = describeQuote(quote, property, {
    locale,
    ...(body.shown && { shown: body.shown }),
  })
  await storeQuote(deps, quote)
  return view
}

function validateBody({ stay, occupancy, rooms }: QuoteBody, now: Date): FieldError[] {
  const errors = [
    ...validateStayDates(stay, now, '/stay'),
    ...validateOccupancy(occupancy, '/occupancy'),
  ]
  const asked = rooms.reduce((sum, { quantity }) => sum + quantity, 0)
  if (asked !== occupancy.rooms) {
    errors.push(fieldError('/rooms', 'count', 'must add up to the rooms of the occupancy'))
  }
  return errors
}

/** Without usable exchange rates the quote is in the hotel's currency only. */
async function requestQuote(deps: QuoteDeps, request: QuoteRequest): Promise<Quote> {
  try {
    return await callPricing(deps, request, { step: 'quote', displayCurrency: request.currency })
  } catch (error) {
    const isFxStale =
      error instanceof UpstreamRejection && error.code === 'MELMASTOON.PRICING.FX_SNAPSHOT_STALE'
    if (!isFxStale) throw toProblem(error)
  }
  return await callPricing(deps, request, { step: 'quote-hotel-currency' }).catch((error) => {
    throw toProblem(error)
  })
}

async function callPricing(
  { upstreams }: QuoteDeps,
  { tenantId, propertyId, body, upstreamKey, deadline, trace }: QuoteRequest,
  { step, ...display }: { readonly step: string; readonly displayCurrency?: CurrencyCode },
): Promise<Quote> {
  const { stay, occupancy, rooms, ratePlanCode, promoCode } = body
  const quote = await upstreams.pricing.createQuote(
    {
      body: {
        propertyId,
        stay,
        occupancy,
        rooms,
        ...(ratePlanCode !== undefined && { ratePlanCode }),
        ...(promoCode !== undefined && { promoCode }),
        ...display,
      },
    },
    { deadline, trace, tenantId, idempotencyKey: upstreamKey(step), retries: 0 },
  )
  const isOurs =
    quote.tenantId === tenantId &&
    quote.propertyId === propertyId &&
    quote.stay.checkIn === stay.checkIn &&
    quote.stay.checkOut === stay.checkOut
  if (!isOurs) throw problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN')
  return quote
}

/** The guest can act on these; pointers of the pricing service fit the body of this request. */
const GUEST_CODES: ReadonlySet<string> = new Set<ProblemCode>([
  'MELMASTOON.PROPERTY.NOT_FOUND',
  'MELMASTOON.PRICING.STAY_INVALID',
  'MELMASTOON.PRICING.NO_RATE',
  'MELMASTOON.PRICING.RESTRICTED',
  'MELMASTOON.PRICING.PROMOTION_REFUSED',
])

function toProblem(error: unknown): unknown {
  if (isProblem(error) && error.code === 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE') {
    return problem('MELMASTOON.BFF.TENANT.QUOTE_UNAVAILABLE', { cause: error })
  }
  if (!(error instanceof UpstreamRejection)) return error
  if (error.code === 'MELMASTOON.TENANT.SUSPENDED') {
    return problem('MELMASTOON.BFF.TENANT.SITE_SUSPENDED', { cause: error })
  }
  if (error.code === undefined || !GUEST_CODES.has(error.code)) return fromUpstreamRejection(error)
  const errors = fieldErrorsOf(error.document)
  return problem(error.code as ProblemCode, { cause: error, ...(errors.length > 0 && { errors }) })
}

const FIELD_ERRORS_MAX = 20

function fieldErrorsOf(document: unknown): FieldError[] {
  if (typeof document !== 'object' || document === null || !('errors' in document)) return []
  const { errors } = document
  return Array.isArray(errors) ? errors.filter(isFieldError).slice(0, FIELD_ERRORS_MAX) : []
}

function isFieldError(value: unknown): value is FieldError {
  if (typeof value !== 'object' || value === null) return false
  const { pointer, code, detail } = value as Record<string, unknown>
  return [pointer, code, detail].every((each) => typeof each === 'string' && each.length <= 200)
}
