import { type Id, type IdPrefix, type IsoDate, idPattern } from '@melmastoon/domain'
import { type TProperties, Type } from 'typebox'

export const id = <P extends IdPrefix>(prefix: P) =>
  Type.Unsafe<Id<P>>(Type.String({ pattern: idPattern(prefix) }))

export const instant = () => Type.String({ format: 'date-time' })
export const isoDate = () =>
  Type.Unsafe<IsoDate>(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }))
export const code = () => Type.String({ pattern: '^[a-z0-9_.-]{1,64}$' })
export const slug = () => Type.String({ pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$' })
export const version = () => Type.Integer({ minimum: 1 })

/** What caused a change by staff: an offline intent, a decision. */
export const causationId = () =>
  Type.Union([Type.String({ pattern: '^[\\x21-\\x7e]{16,255}$' }), Type.Null()])

export const Money = Type.Object(
  {
    amountMicro: Type.String({ pattern: '^-?\\d{1,19}$' }),
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  },
  { additionalProperties: false },
)

export const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })
