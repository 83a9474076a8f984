import {
  CURRENCY_CODES,
  type CurrencyCode,
  type Id,
  type IdPrefix,
  type IsoDate,
  type IsoDateTime,
  idPattern,
  LOCALES,
  type Locale,
} from '@melmastoon/domain'
import { type Static, type TSchema, Type } from 'typebox'

export const id = <P extends IdPrefix>(prefix: P) =>
  Type.Unsafe<Id<P>>(Type.String({ pattern: idPattern(prefix) }))

export const isoDate = () =>
  Type.Unsafe<IsoDate>(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }))

export const instant = () =>
  Type.Unsafe<IsoDateTime>(
    Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?Z$' }),
  )

export const currency = () => Type.Unsafe<CurrencyCode>(Type.Enum([...CURRENCY_CODES]))

export const locale = () => Type.Unsafe<Locale>(Type.Enum([...LOCALES]))

export const text = (maxLength = 200) => Type.String({ minLength: 1, maxLength })

/** The platform's wire format of money: millionths of a unit, as digits, never a float (D7). */
export const MicroMoney = Type.Object({
  amountMicro: Type.String({ pattern: '^-?\\d{1,19}$' }),
  currency: currency(),
})

export const LocalizedString = Type.Object({
  default: Type.String({ maxLength: 4_000 }),
  localized: Type.Optional(
    Type.Record(Type.String({ maxLength: 35 }), Type.String({ maxLength: 4_000 }), {
      maxProperties: 20,
    }),
  ),
})

export const Geo = Type.Object({
  lat: Type.Number({ minimum: -90, maximum: 90 }),
  lng: Type.Number({ minimum: -180, maximum: 180 }),
})

/** Half-open: the night of `checkOut` is not part of the stay. */
export const Stay = Type.Object({ checkIn: isoDate(), checkOut: isoDate() })

export const Occupancy = Type.Object({
  adults: Type.Integer({ minimum: 1, maximum: 30 }),
  children: Type.Integer({ minimum: 0, maximum: 20 }),
  rooms: Type.Integer({ minimum: 1, maximum: 10 }),
  childrenAges: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: 17 }), { maxItems: 20 }),
  ),
})

/** A schema that has a name of its own, and an example, in the OpenAPI document. */
export function named<S extends TSchema>(name: string, schema: S, example?: Static<S>): S {
  return { ...schema, title: name, ...(example !== undefined && { examples: [example] }) }
}
