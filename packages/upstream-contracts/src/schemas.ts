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

export const IMAGE_FORMATS = ['webp', 'jpeg'] as const

/** Members of a picture besides its own URL: its size, and the same picture in other sizes. */
export const PictureSize = {
  width: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The width of the picture at `url`, in pixels' }),
  ),
  height: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The height of the picture at `url`, in pixels' }),
  ),
  sources: Type.Optional(
    Type.Array(
      Type.Object({
        url: text(500),
        width: Type.Integer({ minimum: 1, description: 'In pixels' }),
        format: Type.Enum([...IMAGE_FORMATS]),
      }),
      {
        maxItems: 12,
        description: 'The same picture as a bitmap, in several widths; the URLs never change',
      },
    ),
  ),
}

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

/** The member of staff who made a change, and the device it was made on. */
export const Actor = Type.Object({ operatorId: id('opr'), deviceId: id('dev') })

export type Actor = Static<typeof Actor>

/** The id of what caused a change: an offline intent, a decision on a suggestion, a request. */
export const CausationId = Type.String({ pattern: '^[\\x21-\\x7e]{16,255}$' })

/** The version that the caller has read; another current version rejects the change. */
export const ExpectedVersion = Type.Integer({ minimum: 1 })

/** The additional members of every mutation by staff. */
export const StaffChange = {
  actor: Actor,
  causationId: Type.Optional(CausationId),
  expectedVersion: Type.Optional(ExpectedVersion),
}

/**
 * The versions of a resource, oldest first, of more than a thousand the newest. Versions are never
 * deleted: they tell an applied change from a superseded one after its idempotency key has expired.
 */
export const ResourceHistory = <S extends TSchema>(status: S) =>
  Type.Array(
    Type.Object({
      version: Type.Integer({ minimum: 1 }),
      status,
      at: instant(),
      operatorId: Type.Optional(id('opr')),
      causationId: Type.Optional(CausationId),
    }),
    { maxItems: 1_000 },
  )

/** A schema that has a name of its own, and an example, in the OpenAPI document. */
export function named<S extends TSchema>(name: string, schema: S, example?: Static<S>): S {
  return { ...schema, title: name, ...(example !== undefined && { examples: [example] }) }
}

/** The same schema with a description of its use. */
export function described<S extends TSchema>(schema: S, description: string): S {
  return { ...schema, description }
}
