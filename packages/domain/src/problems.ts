interface ProblemRow {
  readonly status: number
  readonly title: string
  /** Whether the very same request can succeed later. */
  readonly retriable: boolean
  readonly retryAfterSeconds?: number
}

/**
 * Every code a caller can meet. A status never changes, a code is never reused, and a new code also
 * gets its line in docs/errors.md (a test compares both).
 */
const ROWS = {
  'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND': row(404, 'Not found'),
  'MELMASTOON.GENERAL.ROUTE_NOT_FOUND': row(404, 'No such route'),
  'MELMASTOON.GENERAL.METHOD_NOT_ALLOWED': row(405, 'Method not allowed'),
  'MELMASTOON.GENERAL.VALIDATION_FAILED': row(400, 'The request is not valid'),
  'MELMASTOON.GENERAL.MALFORMED_BODY': row(400, 'The body cannot be read'),
  'MELMASTOON.GENERAL.UNSUPPORTED_MEDIA_TYPE': row(415, 'Unsupported media type'),
  'MELMASTOON.GENERAL.PAYLOAD_TOO_LARGE': row(413, 'The body is too large'),
  'MELMASTOON.GENERAL.HEADERS_TOO_LARGE': row(431, 'The headers are too large'),
  'MELMASTOON.GENERAL.REQUEST_TIMEOUT': retriable(408, 'The request did not arrive in time'),
  'MELMASTOON.GENERAL.NOT_ACCEPTABLE': row(406, 'No acceptable representation'),
  'MELMASTOON.GENERAL.CROSS_SITE_REQUEST': row(403, 'Cross-site requests are refused'),
  'MELMASTOON.GENERAL.UNAUTHENTICATED': row(401, 'Sign in first'),
  'MELMASTOON.GENERAL.FORBIDDEN': row(403, 'Not allowed'),
  'MELMASTOON.GENERAL.RATE_LIMITED': retriable(429, 'Too many requests', 1),
  'MELMASTOON.GENERAL.INTERNAL': row(500, 'Something went wrong on our side'),
  'MELMASTOON.GENERAL.OVERLOADED': retriable(503, 'Too busy at the moment', 1),
  'MELMASTOON.GENERAL.SHUTTING_DOWN': retriable(503, 'This instance is stopping', 1),
  'MELMASTOON.GENERAL.DEADLINE_EXCEEDED': retriable(504, 'The time for this request ran out'),
  'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE': retriable(503, 'A dependency does not answer', 2),
  'MELMASTOON.GENERAL.CONFLICT': retriable(409, 'Somebody else changed this at the same time'),
  'MELMASTOON.GENERAL.EVENT_REFUSED': row(422, 'The event does not meet its contract'),
  'MELMASTOON.IDEMPOTENCY.KEY_MISSING': row(400, 'An idempotency key is required'),
  'MELMASTOON.IDEMPOTENCY.KEY_INVALID': row(400, 'The idempotency key is not valid'),
  'MELMASTOON.IDEMPOTENCY.KEY_REUSED': row(422, 'The key was used for another request'),
  'MELMASTOON.IDEMPOTENCY.IN_FLIGHT': retriable(409, 'The same request is still running', 1),
  'MELMASTOON.SESSION.COOKIE_INVALID': row(401, 'The session cookie is not valid'),
  'MELMASTOON.SECURITY.DPOP_PROOF_INVALID': row(401, 'The proof of possession is not valid'),
  'MELMASTOON.SECURITY.DPOP_REPLAYED': row(401, 'The proof of possession was used before'),
  'MELMASTOON.SECURITY.DPOP_NONCE_REQUIRED': row(401, 'The proof needs the current nonce'),
  'MELMASTOON.TENANT.CONTEXT_MISSING': row(500, 'No tenant in scope'),
  'MELMASTOON.TENANT.NOT_FOUND': row(404, 'No such hotel'),
  'MELMASTOON.TENANT.SUSPENDED': row(403, 'This hotel takes no bookings now'),
  'MELMASTOON.TENANT.SLUG_TAKEN': row(409, 'The address is taken'),
  'MELMASTOON.TENANT.DOMAIN_TAKEN': row(409, 'The domain is taken'),
  'MELMASTOON.TENANT.ILLEGAL_TRANSITION': row(409, 'Not possible in the present state'),
  'MELMASTOON.TENANT.CONTEXT_REQUIRED': row(400, 'Say which hotel: X-Tenant-Id'),
  'MELMASTOON.THEME.NOT_FOUND': row(404, 'No such theme'),
  'MELMASTOON.THEME.VERSION_NOT_FOUND': row(404, 'No such version of the theme'),
  'MELMASTOON.THEME.CONTRAST_TOO_LOW': row(422, 'Some text would be hard to read'),
  'MELMASTOON.PROPERTY.NOT_FOUND': row(404, 'No such property'),
  'MELMASTOON.SEARCH.CURSOR_INVALID': row(400, 'The cursor is not valid'),
  'MELMASTOON.SEARCH.AREA_INVALID': row(422, 'The area is not valid'),
  'MELMASTOON.SEARCH.STAY_INVALID': row(422, 'The stay cannot be searched for'),
  'MELMASTOON.SEARCH.PRICE_RANGE_INVALID': row(422, 'The price range is not valid'),
  'MELMASTOON.PRICING.STAY_INVALID': row(422, 'The stay is not valid'),
  'MELMASTOON.PRICING.NO_RATE': row(409, 'There is no rate for this stay'),
  'MELMASTOON.PRICING.RESTRICTED': row(409, 'The rate does not allow this stay'),
  'MELMASTOON.PRICING.RATE_PLAN_NOT_FOUND': row(404, 'No such rate plan'),
  'MELMASTOON.PRICING.QUOTE_NOT_FOUND': row(404, 'No such quote'),
  'MELMASTOON.PRICING.QUOTE_EXPIRED': row(410, 'The quote has expired'),
  'MELMASTOON.PRICING.PROMOTION_REFUSED': row(422, 'The promotion does not apply'),
  'MELMASTOON.PRICING.FX_SNAPSHOT_STALE': row(409, 'The exchange rates are too old'),
  'MELMASTOON.PRICING.PRICE_CHANGED': row(409, 'The price has changed'),
  'MELMASTOON.INVENTORY.INSUFFICIENT_AVAILABILITY': row(409, 'Not enough rooms are free'),
  'MELMASTOON.INVENTORY.STAY_INVALID': row(422, 'The stay is not valid'),
  'MELMASTOON.INVENTORY.ROOM_TYPE_NOT_FOUND': row(404, 'No such room type'),
  'MELMASTOON.INVENTORY.HOLD_NOT_FOUND': row(404, 'No such hold'),
  'MELMASTOON.INVENTORY.HOLD_EXPIRED': row(410, 'The hold has expired'),
  'MELMASTOON.INVENTORY.HOLD_SETTLED': row(409, 'The hold was already settled otherwise'),
  'MELMASTOON.INVENTORY.EXTENSION_REFUSED': row(409, 'The hold cannot be extended further'),
  'MELMASTOON.INVENTORY.BELOW_COMMITTED': row(409, 'More rooms are promised than that'),
  'MELMASTOON.INVENTORY.ROOM_TAKEN': row(409, 'The room is taken for some of these nights'),
  'MELMASTOON.INVENTORY.ROOM_NOT_FOUND': row(404, 'No such room'),
  'MELMASTOON.INVENTORY.ROOMS_ASSIGNED': row(409, 'All rooms of the allocation are assigned'),
  'MELMASTOON.INVENTORY.HOLD_LIMIT_REACHED': row(409, 'Too many rooms are held already'),
  'MELMASTOON.INVENTORY.HOLD_OF_RESERVATION': row(409, 'Its reservation decides over this hold'),
  'MELMASTOON.RESERVATION.NOT_FOUND': row(404, 'No such reservation'),
  'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED': row(409, 'These rooms were just taken'),
  'MELMASTOON.RESERVATION.HOLD_ACTIVE': row(409, 'This draft already holds rooms'),
  'MELMASTOON.RESERVATION.HOLD_EXPIRED': row(410, 'The hold has expired'),
  'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION': row(409, 'Not possible in the present state'),
  'MELMASTOON.PAYMENT.INTENT_NOT_FOUND': row(404, 'No such payment'),
  'MELMASTOON.PAYMENT.DECLINED': row(402, 'The payment was declined'),
  'MELMASTOON.PAYMENT.METHOD_NOT_OFFERED': row(422, 'This way to pay is not offered'),
  'MELMASTOON.PAYMENT.ILLEGAL_TRANSITION': row(409, 'Not possible in the present state'),
  'MELMASTOON.PAYMENT.REFUND_TOO_LARGE': row(422, 'More than was paid cannot be refunded'),
  'MELMASTOON.PAYMENT.GATEWAY_UNAVAILABLE': retriable(502, 'The provider does not answer', 5),
  'MELMASTOON.PAYMENT.AMOUNT_INVALID': row(422, 'The amount is not valid'),
  'MELMASTOON.PAYMENT.WEBHOOK_REFUSED': row(401, 'The webhook is not signed as it should be'),
  'MELMASTOON.JOB.UNKNOWN': row(404, 'No such job'),
  'MELMASTOON.JOB.ALREADY_RUNNING': retriable(409, 'The job is already running', 30),
  'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE': retriable(503, 'A service we need is unavailable', 4),
  'MELMASTOON.BFF.UPSTREAM_TIMEOUT': retriable(504, 'A service we need is too slow', 1),
  'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN': row(502, 'A service we need answered nonsense'),
  'MELMASTOON.BFF.SURFACE_MISMATCH': row(403, 'This surface does not serve that request'),
  'MELMASTOON.BFF.CONSUMER.WISHLIST_LIMIT_EXCEEDED': row(422, 'The wishlist is full'),
  'MELMASTOON.BFF.CONSUMER.HANDOFF_REPLAYED': row(409, 'The booking link was used before'),
  'MELMASTOON.BFF.CONSUMER.HANDOFF_EXPIRED': row(410, 'The booking link has expired'),
  'MELMASTOON.BFF.CONSUMER.HANDOFF_SIGNATURE_INVALID': row(401, 'The booking link is not valid'),
  'MELMASTOON.BFF.CONSUMER.HANDOFF_FIELD_INVALID': row(422, 'The booking link cannot carry this'),
  'MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED': row(403, 'This hotel takes no bookings now'),
  'MELMASTOON.BFF.CONSUMER.SUSPECTED_BOT': retriable(429, 'Please show that you are human'),
  'MELMASTOON.BFF.CONSUMER.UPSTREAM_BUDGET_EXCEEDED': retriable(504, 'The search took too long', 1),
  'MELMASTOON.BFF.CONSUMER.LOCALE_NOT_SUPPORTED': row(422, 'This language is not supported'),
  'MELMASTOON.BFF.CONSUMER.CURRENCY_NOT_SUPPORTED': row(422, 'This currency is not supported'),
} as const satisfies Record<`MELMASTOON.${string}`, ProblemRow>

export type ProblemCode = keyof typeof ROWS

export interface ProblemEntry extends ProblemRow {
  readonly userMessageKey: string
  readonly type: string
}

/** Codes that were once in the table. They stay listed so that none is reused. */
export const RETIRED_CODES: readonly string[] = []

const TYPE_BASE = 'https://errors.melmastoon.ghasi.io/'

export const PROBLEMS: Readonly<Record<ProblemCode, ProblemEntry>> = withDerived(ROWS)

export const PROBLEM_CODES: readonly ProblemCode[] = Object.keys(ROWS) as ProblemCode[]

export function isProblemCode(value: unknown): value is ProblemCode {
  return typeof value === 'string' && Object.hasOwn(ROWS, value)
}

function row(status: number, title: string): ProblemRow {
  return { status, title, retriable: false }
}

function retriable(status: number, title: string, retryAfterSeconds?: number): ProblemRow {
  return { status, title, retriable: true, ...(retryAfterSeconds && { retryAfterSeconds }) }
}

function withDerived(rows: Record<string, ProblemRow>): Record<ProblemCode, ProblemEntry> {
  const entries = Object.entries(rows).map(([code, entry]) => {
    const segments = code.toLowerCase().split('.').slice(1)
    const type = TYPE_BASE + segments.join('/')
    const userMessageKey = `errors.${segments.join('.')}`
    return [code, Object.freeze({ ...entry, type, userMessageKey })]
  })
  return Object.freeze(Object.fromEntries(entries))
}
