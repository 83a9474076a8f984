import { ID_PREFIXES, type IdPrefix } from './id-prefixes.ts'
import { createUlidSource } from './ulid-source.ts'

declare const idBrand: unique symbol

/** `prefix_` + ULID in canonical upper-case Crockford base 32 (D2). */
export type Id<P extends IdPrefix = IdPrefix> = string & { readonly [idBrand]: P }

export type EventId = Id<'evt'>
export type RequestId = Id<'req'>
export type TenantId = Id<'tnt'>
export type BookingSessionId = Id<'tnt_session'>
export type PropertyId = Id<'ppt'>
export type RoomTypeId = Id<'rmt'>
export type RoomId = Id<'rmu'>
export type RatePlanId = Id<'rate'>
export type ReservationId = Id<'rsv'>
export type QuoteId = Id<'qte'>
export type PaymentIntentId = Id<'pyi'>
export type GuestId = Id<'gst'>
export type DeviceId = Id<'dev'>
export type RoomKeyId = Id<'key'>
export type OperatorId = Id<'opr'>
export type FolioId = Id<'fol'>
export type GuestSessionId = Id<'gms'>
export type SearchSessionId = Id<'srs'>
export type WishlistId = Id<'wsh'>
export type HandoffId = Id<'bhd'>
export type DraftId = Id<'bdr'>
export type HandoffArrivalId = Id<'bha'>
export type BackofficeSessionId = Id<'bos'>

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const HEX = '0123456789abcdef'
/** 26 × 5 bits hold 128, so the first character carries three bits: 0–7. */
const ULID_PATTERN = '[0-7][0-9A-HJKMNP-TV-Z]{25}'
const ULID_LENGTH = 26
const ULID_TIME_LENGTH = 10
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const patterns = new Map<string, RegExp>(
  Object.keys(ID_PREFIXES).map((prefix) => [prefix, new RegExp(`^${prefix}_${ULID_PATTERN}$`)]),
)
const nextUlid = createUlidSource()

function patternOf(prefix: IdPrefix): RegExp {
  const pattern = patterns.get(prefix)
  if (pattern === undefined) throw new TypeError(`unknown id prefix ${JSON.stringify(prefix)}`)
  return pattern
}

/** Ids of one process sort in creation order, also within a millisecond. */
export function newId<P extends IdPrefix>(prefix: P): Id<P> {
  patternOf(prefix)
  return `${prefix}_${nextUlid()}` as Id<P>
}

export function isId<P extends IdPrefix>(prefix: P, value: unknown): value is Id<P> {
  return typeof value === 'string' && patternOf(prefix).test(value)
}

export function parseId<P extends IdPrefix>(prefix: P, value: unknown): Id<P> {
  if (!isId(prefix, value)) throw new TypeError(`not a ${ID_PREFIXES[prefix]} id (${prefix}_…)`)
  return value
}

/** Source of the anchored regular expression, for JSON Schema `pattern`. */
export function idPattern(prefix: IdPrefix): string {
  return patternOf(prefix).source
}

/** When the id was made, in milliseconds since 1970: the first ten characters of its ULID. */
export function idTimeMs(id: Id): number {
  const ulid = id.slice(-ULID_LENGTH)
  let timeMs = 0
  for (const character of ulid.slice(0, ULID_TIME_LENGTH)) {
    timeMs = timeMs * 32 + CROCKFORD.indexOf(character)
  }
  return timeMs
}

/** The 128 bits of the id as a lower-case `uuid`, for Postgres columns. */
export function idToUuid(id: Id): string {
  const ulid = id.slice(id.lastIndexOf('_') + 1)
  if (!patternOf(id.slice(0, -ULID_LENGTH - 1) as IdPrefix).test(id)) {
    throw new TypeError('not a platform id')
  }
  let hex = ''
  let bits = 0
  let bitCount = -2
  for (const character of ulid) {
    bits = (bits << 5) | CROCKFORD.indexOf(character)
    for (bitCount += 5; bitCount >= 4; bitCount -= 4) {
      hex += HEX[(bits >> (bitCount - 4)) & 15]
    }
    bits &= 15
  }
  const [a, b, c] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16)]
  return `${a}-${b}-${c}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Inverse of {@link idToUuid}; any 128 bits are a valid ULID, so the conversion is lossless. */
export function uuidToId<P extends IdPrefix>(prefix: P, uuid: string): Id<P> {
  patternOf(prefix)
  if (!UUID.test(uuid)) throw new TypeError('not a uuid')
  let ulid = ''
  let bits = 0
  let bitCount = 2
  for (const digit of uuid.replaceAll('-', '')) {
    bits = (bits << 4) | Number.parseInt(digit, 16)
    for (bitCount += 4; bitCount >= 5; bitCount -= 5) {
      ulid += CROCKFORD[(bits >> (bitCount - 5)) & 31]
    }
    bits &= 31
  }
  return `${prefix}_${ulid}` as Id<P>
}
