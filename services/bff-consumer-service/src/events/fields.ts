import { CURRENCY_CODES, idPattern, LOCALES } from '@melmastoon/domain'
import { Type } from 'typebox'

const common = { version: 1, producer: 'bff-consumer-service' } as const

/** Usage of the website: sampled, and deleted after 90 days. */
export const telemetry = { ...common, retentionClass: 'operational', retentionDays: 90 } as const

/** Handoffs and suspected bots: never sampled. */
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

/** Without undeclared members. */
export const payload = <const P extends Type.TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

/** The events of a guest are delivered in order. */
export const byGuest = ({ guestSessionId: key }: { guestSessionId: string }) => key
