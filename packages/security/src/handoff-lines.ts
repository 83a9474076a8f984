import {
  type FieldError,
  type GuestSessionId,
  type HandoffId,
  type IsoDate,
  type IsoDateTime,
  idPattern,
  isIsoDate,
  isIsoDateTime,
  type PropertyId,
  problem,
  type RatePlanId,
  type RoomTypeId,
  type TenantId,
} from '@melmastoon/domain'

/** What the handoff passes from the search to the hotel's own site. */
export interface HandoffFields {
  readonly id: HandoffId
  readonly guestSessionId: GuestSessionId
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly checkIn: IsoDate
  readonly checkOut: IsoDate
  readonly adults: number
  readonly children: number
  readonly rooms: number
  readonly currency: string
  readonly locale: string
  /** Empty, or one age for each child. */
  readonly childrenAges: readonly number[]
  readonly campaign: HandoffCampaign
  readonly offer: HandoffOffer
}

/** Free text from a URL; the empty string means absent. */
export interface HandoffCampaign {
  readonly source: string
  readonly medium: string
  readonly name: string
}

/**
 * What the guest had chosen and seen, so that the hotel's site can report whether the price
 * changed. Null means absent; each is absent in `v1` and `v2`.
 */
export interface HandoffOffer {
  readonly roomTypeId: RoomTypeId | null
  readonly ratePlanId: RatePlanId | null
  /** Of the price quote. */
  readonly digest: string | null
  readonly shownPrice: ShownPrice | null
}

export interface ShownPrice {
  readonly amountMinor: number
  readonly currency: string
}

export const NO_OFFER: HandoffOffer = {
  roomTypeId: null,
  ratePlanId: null,
  digest: null,
  shownPrice: null,
}

export interface HandoffTimes {
  readonly mintedAt: IsoDateTime
  readonly expiresAt: IsoDateTime
  readonly keyId: string
}

type Line = readonly [name: string, isValid: (text: string) => boolean]

const matches = (pattern: string | RegExp) => {
  const expression = new RegExp(pattern)
  return (text: string) => expression.test(text)
}
const positive = matches(/^[1-9][0-9]?$/)
const count = matches(/^(?:0|[1-9][0-9]?)$/)
const currency = matches(/^[A-Z]{3}$/)
/** Fifteen digits are always a safe integer. */
const amount = matches(/^(?:0|[1-9][0-9]{0,14})$/)
const optional = (isValid: (text: string) => boolean) => (text: string) =>
  text === '' || isValid(text)

/**
 * The canonical lines of the consumer domain model §2.4 in their order; `v2` appends four (D4),
 * `v3` five more.
 */
const LINES_V1: readonly Line[] = [
  ['version', matches(/^v1$/)],
  ['id', matches(idPattern('bhd'))],
  ['guestSessionId', matches(idPattern('gms'))],
  ['tenantId', matches(idPattern('tnt'))],
  ['propertyId', matches(idPattern('ppt'))],
  ['checkIn', isIsoDate],
  ['checkOut', isIsoDate],
  ['adults', positive],
  ['children', count],
  ['rooms', positive],
  ['currency', currency],
  ['locale', matches(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?$/)],
  ['mintedAt', isIsoDateTime],
  ['expiresAt', isIsoDateTime],
  ['keyId', matches(/^[a-z0-9][a-z0-9-]{0,63}$/)],
]
const LINES_V2: readonly Line[] = [
  ['version', matches(/^v2$/)],
  ...LINES_V1.slice(1),
  ['childrenAges', matches(/^(?:(?:[0-9]|1[0-7])(?:%2C(?:[0-9]|1[0-7]))*)?$/)],
  ['campaign/source', isCanonicalText],
  ['campaign/medium', isCanonicalText],
  ['campaign/name', isCanonicalText],
]
const LINES_V3: readonly Line[] = [
  ['version', matches(/^v3$/)],
  ...LINES_V2.slice(1),
  ['offer/roomTypeId', optional(matches(idPattern('rmt')))],
  ['offer/ratePlanId', optional(matches(idPattern('rate')))],
  ['offer/digest', optional(matches(/^sha256:[0-9a-f]{64}$/))],
  ['offer/shownPrice/amountMinor', optional(amount)],
  ['offer/shownPrice/currency', optional(currency)],
]

const VERSIONS: ReadonlyMap<string, { version: 1 | 2 | 3; lines: readonly Line[] }> = new Map([
  ['v1', { version: 1, lines: LINES_V1 }],
  ['v2', { version: 2, lines: LINES_V2 }],
  ['v3', { version: 3, lines: LINES_V3 }],
])

/** Twice what analytics tools store of a UTM value, and small enough for a URL after encoding. */
const CAMPAIGN_MAX_CHARS = 200
/**
 * Control characters, line separators and bidi controls; the zero-width joiners of Persian are
 * allowed.
 */
const UNSAFE_TEXT = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u

/** @throws Problem HANDOFF_FIELD_INVALID naming the first field that may not be signed. */
export function encodeLines(fields: HandoffFields, times: HandoffTimes): string {
  const { campaign, offer } = fields
  for (const name of ['source', 'medium', 'name'] as const) {
    if (!isSafeText(campaign[name])) throw invalidField(`campaign/${name}`)
  }
  const lines = [
    'v3',
    fields.id,
    fields.guestSessionId,
    fields.tenantId,
    fields.propertyId,
    fields.checkIn,
    fields.checkOut,
    String(fields.adults),
    String(fields.children),
    String(fields.rooms),
    fields.currency,
    fields.locale,
    times.mintedAt,
    times.expiresAt,
    times.keyId,
    encodeURIComponent(fields.childrenAges.join(',')),
    encodeURIComponent(campaign.source),
    encodeURIComponent(campaign.medium),
    encodeURIComponent(campaign.name),
    offer.roomTypeId ?? '',
    offer.ratePlanId ?? '',
    offer.digest ?? '',
    offer.shownPrice === null ? '' : String(offer.shownPrice.amountMinor),
    offer.shownPrice?.currency ?? '',
  ]
  const broken = brokenLine(lines, LINES_V3)
  if (broken !== null) throw invalidField(broken)
  return lines.join('\n')
}

export type DecodedHandoff = HandoffFields & HandoffTimes & { readonly version: 1 | 2 | 3 }

/** Null unless there are exactly the lines of the version, each valid on its own and together. */
export function decodeLines(text: string): DecodedHandoff | null {
  const lines = text.split('\n')
  const known = VERSIONS.get(lines[0] ?? '')
  if (known === undefined || brokenLine(lines, known.lines) !== null) return null
  const line = (index: number) => lines[index] ?? ''
  const ages = decodeURIComponent(line(15))
  return {
    version: known.version,
    id: line(1) as HandoffId,
    guestSessionId: line(2) as GuestSessionId,
    tenantId: line(3) as TenantId,
    propertyId: line(4) as PropertyId,
    checkIn: line(5) as IsoDate,
    checkOut: line(6) as IsoDate,
    adults: Number(line(7)),
    children: Number(line(8)),
    rooms: Number(line(9)),
    currency: line(10),
    locale: line(11),
    mintedAt: line(12) as IsoDateTime,
    expiresAt: line(13) as IsoDateTime,
    keyId: line(14),
    childrenAges: ages === '' ? [] : ages.split(',').map(Number),
    campaign: {
      source: decodeURIComponent(line(16)),
      medium: decodeURIComponent(line(17)),
      name: decodeURIComponent(line(18)),
    },
    offer: decodeOffer(lines.slice(19)),
  }
}

function decodeOffer(lines: readonly string[]): HandoffOffer {
  const [roomTypeId = '', ratePlanId = '', digest = '', amountMinor = '', code = ''] = lines
  return {
    roomTypeId: roomTypeId === '' ? null : (roomTypeId as RoomTypeId),
    ratePlanId: ratePlanId === '' ? null : (ratePlanId as RatePlanId),
    digest: digest === '' ? null : digest,
    shownPrice: code === '' ? null : { amountMinor: Number(amountMinor), currency: code },
  }
}

function brokenLine(lines: readonly string[], expected: readonly Line[]): string | null {
  if (lines.length !== expected.length) return 'version'
  for (const [index, [name, isValid]] of expected.entries()) {
    if (!isValid(lines[index] ?? '')) return name
  }
  if ((lines[5] ?? '') >= (lines[6] ?? '')) return 'checkOut'
  const ages = lines[15] ?? ''
  if (ages !== '' && ages.split('%2C').length !== Number(lines[8])) return 'childrenAges'
  if (((lines[22] ?? '') === '') !== ((lines[23] ?? '') === '')) return 'offer/shownPrice'
  return null
}

function isSafeText(text: string): boolean {
  return text.length <= CAMPAIGN_MAX_CHARS && text.isWellFormed() && !UNSAFE_TEXT.test(text)
}

/** One text has one encoding: decoding and encoding again must give the same line. */
function isCanonicalText(line: string): boolean {
  try {
    const text = decodeURIComponent(line)
    return isSafeText(text) && encodeURIComponent(text) === line
  } catch {
    return false
  }
}

function invalidField(name: string) {
  const error: FieldError = { pointer: `/${name}`, code: 'handoff', detail: 'cannot be signed' }
  return problem('MELMASTOON.BFF.CONSUMER.HANDOFF_FIELD_INVALID', { errors: [error] })
}
