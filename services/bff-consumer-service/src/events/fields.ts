import { CURRENCY_CODES, idPattern, LOCALES } from '@melmastoon/domain'
import { Type } from 'typebox'

const common = { version: 1, producer: 'bff-consumer-service' } as const

/** How the surface is used: sampled, and gone after a season. */
export const telemetry = { ...common, retentionClass: 'operational', retentionDays: 90 } as const

/** Who was sent where, and who was held back: every one of them is kept. */
export const audit = {
  ...common,
  retentionClass: 'audit',
  retentionDays: 365,
  sampleRate: 1,
} as const

export const guestSessionId = () => Type.String({ pattern: idPattern('gms') })
export const searchSessionId = () => Type.String({ pattern: idPattern('srs') })
export const propertyId = () => Type.String({ pattern: idPattern('ppt') })
export const tenantId = () => Type.String({ pattern: idPattern('tnt') })
export const hashed = () => Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })
export const instant = () => Type.String({ format: 'date-time' })
export const count = (maximum = 1_000_000) => Type.Integer({ minimum: 0, maximum })
export const locale = () => Type.Enum([...LOCALES])
export const deviceClass = () => Type.Enum(['phone', 'tablet', 'desktop'])
export const currency = () => Type.Enum([...CURRENCY_CODES])

/** Nothing but what is named. */
export const payload = <const P extends Type.TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

/** A guest's events arrive in the order she caused them. */
export const byGuest = ({ guestSessionId: key }: { guestSessionId: string }) => key
