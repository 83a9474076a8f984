interface ProblemRow {
  readonly status: number
  readonly title: string
  /** Whether the very same request can succeed later. */
  readonly retriable: boolean
  readonly retryAfterSeconds?: number
}

/**
 * Every code that a caller can receive. A status never changes, a code is never reused, and a new
 * code also gets its line in docs/errors.md and its texts in `messages` (tests compare them).
 */
const ROWS = {
  'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND': row(404, 'Not found'),
  'MELMASTOON.GENERAL.ROUTE_NOT_FOUND': row(404, 'Route not found'),
  'MELMASTOON.GENERAL.METHOD_NOT_ALLOWED': row(405, 'Method not allowed'),
  'MELMASTOON.GENERAL.VALIDATION_FAILED': row(400, 'Invalid request'),
  'MELMASTOON.GENERAL.MALFORMED_BODY': row(400, 'Malformed request body'),
  'MELMASTOON.GENERAL.UNSUPPORTED_MEDIA_TYPE': row(415, 'Unsupported media type'),
  'MELMASTOON.GENERAL.PAYLOAD_TOO_LARGE': row(413, 'Request body too large'),
  'MELMASTOON.GENERAL.HEADERS_TOO_LARGE': row(431, 'Request headers too large'),
  'MELMASTOON.GENERAL.REQUEST_TIMEOUT': retriable(408, 'Request timeout'),
  'MELMASTOON.GENERAL.NOT_ACCEPTABLE': row(406, 'No acceptable representation'),
  'MELMASTOON.GENERAL.CROSS_SITE_REQUEST': row(403, 'Cross-site request rejected'),
  'MELMASTOON.GENERAL.UNAUTHENTICATED': row(401, 'Authentication required'),
  'MELMASTOON.GENERAL.FORBIDDEN': row(403, 'Forbidden'),
  'MELMASTOON.GENERAL.RATE_LIMITED': retriable(429, 'Too many requests', 1),
  'MELMASTOON.GENERAL.INTERNAL': row(500, 'Internal server error'),
  'MELMASTOON.GENERAL.OVERLOADED': retriable(503, 'Service overloaded', 1),
  'MELMASTOON.GENERAL.SHUTTING_DOWN': retriable(503, 'Instance is shutting down', 1),
  'MELMASTOON.GENERAL.DEADLINE_EXCEEDED': retriable(504, 'Request deadline exceeded'),
  'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE': retriable(503, 'A dependency is unavailable', 2),
  'MELMASTOON.GENERAL.CONFLICT': retriable(409, 'Conflict with a concurrent change'),
  'MELMASTOON.GENERAL.EVENT_REFUSED': row(422, 'The event does not match its schema'),
  'MELMASTOON.IDEMPOTENCY.KEY_MISSING': row(400, 'Idempotency key required'),
  'MELMASTOON.IDEMPOTENCY.KEY_INVALID': row(400, 'Invalid idempotency key'),
  'MELMASTOON.IDEMPOTENCY.KEY_REUSED': row(422, 'Idempotency key used for another request'),
  'MELMASTOON.IDEMPOTENCY.IN_FLIGHT': retriable(409, 'The same request is still in progress', 1),
  'MELMASTOON.SESSION.COOKIE_INVALID': row(401, 'No valid session'),
  'MELMASTOON.SESSION.REVOKED': row(401, 'The session has ended'),
  'MELMASTOON.SECURITY.TOKEN_INVALID': row(401, 'Invalid access token'),
  'MELMASTOON.SECURITY.TOKEN_EXPIRED': row(401, 'Access token expired'),
  'MELMASTOON.SECURITY.DEVICE_MISMATCH': row(401, 'The token belongs to another device'),
  'MELMASTOON.SECURITY.STEP_UP_REQUIRED': row(403, 'A second factor is required for this action'),
  'MELMASTOON.SECURITY.DPOP_PROOF_INVALID': row(401, 'Invalid DPoP proof'),
  'MELMASTOON.SECURITY.DPOP_REPLAYED': row(401, 'DPoP proof already used'),
  'MELMASTOON.SECURITY.DPOP_NONCE_REQUIRED': row(401, 'DPoP nonce required'),
  'MELMASTOON.TENANT.CONTEXT_MISSING': row(500, 'Tenant context missing'),
  'MELMASTOON.TENANT.NOT_FOUND': row(404, 'Hotel not found'),
  'MELMASTOON.TENANT.SUSPENDED': row(403, 'This hotel does not accept bookings at present'),
  'MELMASTOON.TENANT.SLUG_TAKEN': row(409, 'The slug is already in use'),
  'MELMASTOON.TENANT.DOMAIN_TAKEN': row(409, 'The domain is already in use'),
  'MELMASTOON.TENANT.ILLEGAL_TRANSITION': row(409, 'Not allowed in the current state'),
  'MELMASTOON.TENANT.PAYMENT_NOT_CONFIGURED': row(409, 'This hotel has no payment method'),
  'MELMASTOON.TENANT.CONTEXT_REQUIRED': row(400, 'The X-Tenant-Id header is required'),
  'MELMASTOON.TENANT.OPERATOR_NOT_FOUND': row(404, 'Operator not found'),
  'MELMASTOON.TENANT.VERSION_CONFLICT': row(409, 'Changed since it was read'),
  'MELMASTOON.IAM.INVALID_CREDENTIALS': row(401, 'Sign-in failed'),
  'MELMASTOON.IAM.REFRESH_INVALID': row(401, 'Invalid refresh token'),
  'MELMASTOON.IAM.REFRESH_REUSED': row(401, 'Refresh token used twice'),
  'MELMASTOON.IAM.SESSION_NOT_FOUND': row(404, 'Session not found'),
  'MELMASTOON.IAM.OPERATOR_NOT_FOUND': row(404, 'Operator not found'),
  'MELMASTOON.IAM.MFA_FAILED': row(403, 'Second factor not accepted'),
  'MELMASTOON.IAM.MFA_LOCKED': retriable(429, 'Too many wrong second factors'),
  'MELMASTOON.THEME.NOT_FOUND': row(404, 'Theme not found'),
  'MELMASTOON.THEME.VERSION_NOT_FOUND': row(404, 'Theme version not found'),
  'MELMASTOON.THEME.CONTRAST_TOO_LOW': row(422, 'Contrast of the theme is too low'),
  'MELMASTOON.PROPERTY.NOT_FOUND': row(404, 'Property not found'),
  'MELMASTOON.SEARCH.CURSOR_INVALID': row(400, 'Invalid cursor'),
  'MELMASTOON.SEARCH.AREA_INVALID': row(422, 'Invalid search area'),
  'MELMASTOON.SEARCH.STAY_INVALID': row(422, 'Invalid stay'),
  'MELMASTOON.SEARCH.PRICE_RANGE_INVALID': row(422, 'Invalid price range'),
  'MELMASTOON.PRICING.STAY_INVALID': row(422, 'Invalid stay'),
  'MELMASTOON.PRICING.NO_RATE': row(409, 'No rate for this stay'),
  'MELMASTOON.PRICING.RESTRICTED': row(409, 'The rate does not allow this stay'),
  'MELMASTOON.PRICING.RATE_PLAN_NOT_FOUND': row(404, 'Rate plan not found'),
  'MELMASTOON.PRICING.QUOTE_NOT_FOUND': row(404, 'Quote not found'),
  'MELMASTOON.PRICING.QUOTE_EXPIRED': row(410, 'Quote expired'),
  'MELMASTOON.PRICING.PROMOTION_REFUSED': row(422, 'The promotion does not apply'),
  'MELMASTOON.PRICING.FX_SNAPSHOT_STALE': row(409, 'Exchange rates out of date'),
  'MELMASTOON.PRICING.PRICE_CHANGED': row(409, 'Price changed'),
  'MELMASTOON.INVENTORY.INSUFFICIENT_AVAILABILITY': row(409, 'Not enough rooms available'),
  'MELMASTOON.INVENTORY.STAY_INVALID': row(422, 'Invalid stay'),
  'MELMASTOON.INVENTORY.ROOM_TYPE_NOT_FOUND': row(404, 'Room type not found'),
  'MELMASTOON.INVENTORY.HOLD_NOT_FOUND': row(404, 'Hold not found'),
  'MELMASTOON.INVENTORY.HOLD_EXPIRED': row(410, 'Hold expired'),
  'MELMASTOON.INVENTORY.HOLD_SETTLED': row(409, 'The hold was already committed or released'),
  'MELMASTOON.INVENTORY.EXTENSION_REFUSED': row(409, 'The hold cannot be extended'),
  'MELMASTOON.INVENTORY.BELOW_COMMITTED': row(409, 'More rooms are committed than this capacity'),
  'MELMASTOON.INVENTORY.ROOM_TAKEN': row(409, 'The room is assigned for some of these nights'),
  'MELMASTOON.INVENTORY.ROOM_NOT_FOUND': row(404, 'Room not found'),
  'MELMASTOON.INVENTORY.ROOMS_ASSIGNED': row(
    409,
    'All rooms of the allocation are already assigned',
  ),
  'MELMASTOON.INVENTORY.HOLD_LIMIT_REACHED': row(409, 'Hold limit reached'),
  'MELMASTOON.INVENTORY.HOLD_OF_RESERVATION': row(409, 'The hold belongs to a reservation'),
  'MELMASTOON.RESERVATION.NOT_FOUND': row(404, 'Reservation not found'),
  'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED': row(409, 'The rooms are no longer available'),
  'MELMASTOON.RESERVATION.HOLD_ACTIVE': row(409, 'The draft already has an active hold'),
  'MELMASTOON.RESERVATION.HOLD_EXPIRED': row(410, 'Hold expired'),
  'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION': row(409, 'Not allowed in the current state'),
  'MELMASTOON.RESERVATION.QUOTE_MISMATCH': row(422, 'The quote is for another stay'),
  'MELMASTOON.RESERVATION.VERSION_CONFLICT': row(409, 'The reservation was changed meanwhile'),
  'MELMASTOON.RESERVATION.ROOM_NOT_READY': row(409, 'The room is not ready'),
  'MELMASTOON.RESERVATION.ROOM_NOT_AVAILABLE': row(409, 'The room is not available'),
  'MELMASTOON.RESERVATION.ROOMS_MISMATCH': row(422, 'The rooms are not those of the reservation'),
  'MELMASTOON.RESERVATION.DATES_INVALID': row(422, 'Invalid dates'),
  'MELMASTOON.BILLING.FOLIO_NOT_FOUND': row(404, 'Folio not found'),
  'MELMASTOON.BILLING.CHARGE_NOT_FOUND': row(404, 'Charge not found'),
  'MELMASTOON.BILLING.FOLIO_CLOSED': row(409, 'The folio is closed'),
  'MELMASTOON.BILLING.VERSION_CONFLICT': row(409, 'The folio was changed meanwhile'),
  'MELMASTOON.BILLING.ILLEGAL_TRANSITION': row(409, 'Not allowed in the current state'),
  'MELMASTOON.BILLING.CURRENCY_MISMATCH': row(422, 'The folio has another currency'),
  'MELMASTOON.BILLING.NEGATIVE_AMOUNT': row(422, 'The amount must be positive'),
  'MELMASTOON.PAYMENT.INTENT_NOT_FOUND': row(404, 'Payment not found'),
  'MELMASTOON.PAYMENT.DECLINED': row(402, 'Payment declined'),
  'MELMASTOON.PAYMENT.METHOD_NOT_OFFERED': row(422, 'Payment method not offered'),
  'MELMASTOON.PAYMENT.ILLEGAL_TRANSITION': row(409, 'Not allowed in the current state'),
  'MELMASTOON.PAYMENT.REFUND_TOO_LARGE': row(422, 'The refund exceeds the captured amount'),
  'MELMASTOON.PAYMENT.GATEWAY_UNAVAILABLE': retriable(502, 'Payment provider unavailable', 5),
  'MELMASTOON.PAYMENT.AMOUNT_INVALID': row(422, 'Invalid amount'),
  'MELMASTOON.PAYMENT.WEBHOOK_REFUSED': row(401, 'Invalid webhook signature'),
  'MELMASTOON.LOCK.REQUEST_NOT_FOUND': row(404, 'Lock request not found'),
  'MELMASTOON.LOCK.CREDENTIAL_NOT_FOUND': row(404, 'Room key not found'),
  'MELMASTOON.LOCK.VENDOR_REFUSED': row(422, 'The lock system rejected the command'),
  'MELMASTOON.LOCK.NO_CAPABLE_DEVICE': row(422, 'No lock can execute the command'),
  'MELMASTOON.LOCK.GATEWAY_BUSY': retriable(409, 'The gateway is executing another command', 2),
  'MELMASTOON.LOCK.VERSION_CONFLICT': row(409, 'The room key has changed'),
  'MELMASTOON.LOCK.ILLEGAL_TRANSITION': row(409, 'Not allowed in the current state'),
  'MELMASTOON.LOCK.WINDOW_INVALID': row(422, 'Invalid validity of the room key'),
  'MELMASTOON.LOCK.REQUEST_ID_REUSED': row(422, 'Request id used for another action'),
  'MELMASTOON.LOCK.CURSOR_INVALID': row(400, 'Invalid cursor'),
  'MELMASTOON.NOTIFICATION.ALERT_NOT_FOUND': row(404, 'Alert not found'),
  'MELMASTOON.NOTIFICATION.VERSION_CONFLICT': row(409, 'The alert was changed by another request'),
  'MELMASTOON.AI.SUGGESTION_NOT_FOUND': row(404, 'Suggestion not found'),
  'MELMASTOON.AI.SUGGESTION_DECIDED': row(409, 'The suggestion was already decided'),
  'MELMASTOON.AI.SUGGESTION_CLOSED': row(409, 'The suggestion has expired or was withdrawn'),
  'MELMASTOON.AI.DELTA_INVALID': row(422, 'Invalid modification of the suggestion'),
  'MELMASTOON.SYNC.CURSOR_NOT_FOUND': row(404, 'The device has no sync cursor'),
  'MELMASTOON.SYNC.CURSOR_CONFLICT': row(409, 'The sync cursor was advanced by another request'),
  'MELMASTOON.SYNC.TOKEN_INVALID': row(401, 'Invalid sync session token'),
  'MELMASTOON.HOUSEKEEPING.TASK_NOT_FOUND': row(404, 'Housekeeping task not found'),
  'MELMASTOON.HOUSEKEEPING.ROOM_NOT_FOUND': row(404, 'Room not found'),
  'MELMASTOON.HOUSEKEEPING.ROOM_STATE_CONFLICT': row(409, 'The state of the room forbids it'),
  'MELMASTOON.HOUSEKEEPING.VERSION_CONFLICT': row(409, 'Changed by another request'),
  'MELMASTOON.MAINTENANCE.WORK_ORDER_NOT_FOUND': row(404, 'Work order not found'),
  'MELMASTOON.MAINTENANCE.ROOM_NOT_FOUND': row(404, 'Room not found'),
  'MELMASTOON.MAINTENANCE.ROOM_REQUIRED': row(422, 'Only an order for a room can block it'),
  'MELMASTOON.MAINTENANCE.DUPLICATE_OPEN_WORK_ORDER': row(
    409,
    'The room already has an unresolved order of this category',
  ),
  'MELMASTOON.MAINTENANCE.INVALID_STATUS_TRANSITION': row(409, 'Not allowed in the current state'),
  'MELMASTOON.MAINTENANCE.WORK_ORDER_TERMINAL': row(409, 'The work order is closed'),
  'MELMASTOON.MAINTENANCE.VERSION_CONFLICT': row(409, 'Changed by another request'),
  'MELMASTOON.JOB.UNKNOWN': row(404, 'Job not found'),
  'MELMASTOON.JOB.ALREADY_RUNNING': retriable(409, 'The job is already running', 30),
  'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE': retriable(503, 'An upstream service is unavailable', 4),
  'MELMASTOON.BFF.UPSTREAM_TIMEOUT': retriable(
    504,
    'An upstream service did not respond in time',
    1,
  ),
  'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN': row(502, 'Invalid response from an upstream service'),
  'MELMASTOON.BFF.UPSTREAM_REQUEST_REJECTED': row(502, 'An upstream service rejected our request'),
  'MELMASTOON.BFF.SURFACE_MISMATCH': row(403, 'The request is not served at this host'),
  'MELMASTOON.BFF.CONSUMER.WISHLIST_LIMIT_EXCEEDED': row(422, 'The wishlist is full'),
  'MELMASTOON.BFF.CONSUMER.HANDOFF_REPLAYED': row(409, 'The booking link was already used'),
  'MELMASTOON.BFF.CONSUMER.HANDOFF_EXPIRED': row(410, 'The booking link has expired'),
  'MELMASTOON.BFF.CONSUMER.HANDOFF_SIGNATURE_INVALID': row(401, 'Invalid booking link'),
  'MELMASTOON.BFF.CONSUMER.HANDOFF_FIELD_INVALID': row(422, 'Invalid field for the booking link'),
  'MELMASTOON.BFF.CONSUMER.STAY_NOT_BOOKABLE': row(409, 'The stay cannot be booked'),
  'MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED': row(
    403,
    'This hotel does not accept bookings at present',
  ),
  'MELMASTOON.BFF.CONSUMER.SUSPECTED_BOT': retriable(429, 'Verification required'),
  'MELMASTOON.BFF.CONSUMER.UPSTREAM_BUDGET_EXCEEDED': retriable(504, 'The search took too long', 1),
  'MELMASTOON.BFF.CONSUMER.LOCALE_NOT_SUPPORTED': row(422, 'Locale not supported'),
  'MELMASTOON.BFF.CONSUMER.CURRENCY_NOT_SUPPORTED': row(422, 'Currency not supported'),
  'MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN': row(403, 'The role does not allow this action'),
  'MELMASTOON.BFF.BACKOFFICE.CURSOR_INVALID': row(400, 'Invalid cursor'),
  'MELMASTOON.BFF.BACKOFFICE.LOCK_ACTION_OPEN': row(409, 'Another action on these keys is open'),
  'MELMASTOON.BFF.BACKOFFICE.LOCK_ACTION_NOT_EXECUTED': row(
    422,
    'The lock system did not execute the command',
  ),
  'MELMASTOON.BFF.BACKOFFICE.KEY_EXISTS': row(409, 'The room has a key of this kind'),
  'MELMASTOON.BFF.BACKOFFICE.INTENT_ID_REUSED': row(409, 'The id belongs to another intent'),
  'MELMASTOON.BFF.BACKOFFICE.INTENT_EXPIRED': row(410, 'The intent is older than seven days'),
  'MELMASTOON.BFF.BACKOFFICE.INTENT_DEPENDENCY_FAILED': row(
    409,
    'The intent that this one depends on was not applied',
  ),
  'MELMASTOON.BFF.BACKOFFICE.UPSTREAM_BUDGET_EXCEEDED': retriable(
    504,
    'The request took too long',
    1,
  ),
  'MELMASTOON.BFF.BACKOFFICE.LOCALE_NOT_SUPPORTED': row(422, 'Locale not supported'),
  'MELMASTOON.BFF.TENANT.DETAILS_INVALID': row(422, 'Invalid guest details'),
  'MELMASTOON.BFF.TENANT.CONFIRMATION_NOT_FOUND': row(404, 'Confirmation not found'),
  'MELMASTOON.BFF.TENANT.SITE_NOT_FOUND': row(404, 'No booking site at this address'),
  'MELMASTOON.BFF.TENANT.SITE_SUSPENDED': retriable(
    503,
    'This hotel does not accept bookings at present',
    300,
  ),
  'MELMASTOON.BFF.TENANT.BOOTSTRAP_STALE': row(
    410,
    'The loaded version of the site is no longer supported',
  ),
  'MELMASTOON.BFF.TENANT.HANDOFF_REPLAYED': row(409, 'The booking link was already used'),
  'MELMASTOON.BFF.TENANT.HANDOFF_EXPIRED': row(410, 'The booking link has expired'),
  'MELMASTOON.BFF.TENANT.HANDOFF_SIGNATURE_INVALID': row(401, 'Invalid booking link'),
  'MELMASTOON.BFF.TENANT.HANDOFF_NOT_FOUND': row(404, 'Booking link not found'),
  'MELMASTOON.BFF.TENANT.DRAFT_NOT_FOUND': row(404, 'Booking not found'),
  'MELMASTOON.BFF.TENANT.DRAFT_ENDED': row(410, 'The booking has ended'),
  'MELMASTOON.BFF.TENANT.DRAFT_ILLEGAL_TRANSITION': row(
    409,
    'Not possible in the current state of the booking',
  ),
  'MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT': row(
    409,
    'The booking was changed by another request',
  ),
  'MELMASTOON.BFF.TENANT.HOLD_EXPIRED': row(410, 'The room is no longer held'),
  'MELMASTOON.BFF.TENANT.SOLD_OUT': row(409, 'No room of this type is left'),
  'MELMASTOON.BFF.TENANT.PRICE_CHANGED': row(409, 'The price has changed'),
  'MELMASTOON.BFF.TENANT.STAY_GONE': row(409, 'The stay can no longer be booked'),
  'MELMASTOON.BFF.TENANT.CONSENT_REQUIRED': row(409, 'The changed terms require consent'),
  'MELMASTOON.BFF.TENANT.DETAILS_REQUIRED': row(409, 'Guest details are required first'),
  'MELMASTOON.BFF.TENANT.PAYMENT_IN_PROGRESS': retriable(409, 'A payment is in progress', 2),
  'MELMASTOON.BFF.TENANT.PAYMENT_CAPTURED': row(409, 'The booking is already paid'),
  'MELMASTOON.BFF.TENANT.EXTENSION_LIMIT': row(409, 'The hold cannot be extended further'),
  'MELMASTOON.BFF.TENANT.QUOTE_UNAVAILABLE': retriable(
    502,
    'The price cannot be determined at present',
    4,
  ),
  'MELMASTOON.BFF.TENANT.LOCALE_NOT_SUPPORTED': row(422, 'Locale not supported'),
  'MELMASTOON.BFF.TENANT.CURRENCY_NOT_SUPPORTED': row(422, 'Currency not supported'),
  'MELMASTOON.BFF.TENANT.UPSTREAM_BUDGET_EXCEEDED': retriable(504, 'The request took too long', 1),
  'MELMASTOON.BFF.TENANT.WEBHOOK_REJECTED': row(401, 'Invalid webhook signature'),
} as const satisfies Record<`MELMASTOON.${string}`, ProblemRow>

export type ProblemCode = keyof typeof ROWS

type KeyOf<Code extends string> = Code extends `MELMASTOON.${infer Name}`
  ? `errors.${Lowercase<Name>}`
  : never

/** The key of the text for the user, in every language of `messages`. */
export type UserMessageKey = KeyOf<ProblemCode>

export interface ProblemEntry extends ProblemRow {
  readonly userMessageKey: UserMessageKey
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
