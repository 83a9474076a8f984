import { CURRENCY_CODES, type Id, type IdPrefix, idPattern, LOCALES } from '@melmastoon/domain'
import { PAYMENT_METHODS } from '@melmastoon/upstream-contracts/payment'
import { Type } from 'typebox'

const common = { version: 1, producer: 'bff-tenant-booking-service' } as const

/** Use of the site: needs consent (D13), and flags may change the sample rate. */
export const operational = {
  ...common,
  retentionClass: 'operational',
  retentionDays: 90,
} as const

/** Legal records of a booking: never sampled, written without regard to consent (D13). */
const regulated = { ...common, retentionClass: 'regulated', sampleRate: 1 } as const
export const regulatedThreeYears = { ...regulated, retentionDays: 3 * 365 } as const
export const regulatedSevenYears = { ...regulated, retentionDays: 7 * 365 } as const

export const DEVICE_CLASSES = [
  'browser-desktop',
  'browser-mobile',
  'mobile-app-ios',
  'mobile-app-android',
] as const

/** Whether a response came from a cache. */
export const CACHE_STATES = ['HIT', 'STALE', 'MISS'] as const

export const id = <P extends IdPrefix>(prefix: P) =>
  Type.Unsafe<Id<P>>(Type.String({ pattern: idPattern(prefix) }))
export const hashed = () => Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })
export const instant = () => Type.String({ format: 'date-time' })
export const milliseconds = () => Type.Integer({ minimum: 0 })
export const locale = () => Type.Enum([...LOCALES])
export const currency = () => Type.Enum([...CURRENCY_CODES])
export const deviceClass = () => Type.Enum([...DEVICE_CLASSES])
export const cacheState = () => Type.Enum([...CACHE_STATES])
export const amountMinor = () => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const method = () => Type.Enum([...PAYMENT_METHODS])
/** A state of a draft, a name of a provider, a version: a short name, never free text. */
export const shortName = () => Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$' })
export const problemCode = () => Type.String({ pattern: '^MELMASTOON(?:\\.[A-Z0-9_]{1,64}){2,5}$' })
export const money = () => payload({ currency: currency(), amountMinor: amountMinor() })

/** Every field is always present; without a value it is null. */
export const nullable = <const S extends Type.TSchema>(schema: S) =>
  Type.Union([schema, Type.Null()])

/** Without undeclared members. */
export const payload = <const P extends Type.TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

export const bySession = ({ sessionId }: { sessionId: string }) => sessionId
export const byDraft = ({ draftId }: { draftId: string }) => draftId
