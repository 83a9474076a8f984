import { Ajv } from 'ajv'
import { type Static, type TSchema, Type } from 'typebox'
import { DocumentRejected, type PollOptions, pollDocument } from './polled-document.ts'

export interface FlagsOptions<S extends TSchema> extends PollOptions {
  readonly schema: S
  readonly defaults: Static<S>
}

export interface Flags<T> extends Disposable {
  /** Never waits and never fails: the last valid value, or the defaults. */
  current(): T
}

/** Sample rates by subject; without an entry the event's own rate applies. */
export const SAMPLE_RATES = Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 }))

/**
 * Feature flags and sample rates, polled. With an invalid value, or without Redis, the last valid
 * one stays in use; flags that the document does not contain have their defaults.
 */
export function createFlags<S extends TSchema>(options: FlagsOptions<S>): Flags<Static<S>> {
  const { schema, defaults } = options
  const checked = flagsChecker(schema)
  return pollDocument<Static<S>>(options, defaults, (document) =>
    checked({ ...(defaults as object), ...(document as object) }),
  )
}

/** Returns a valid value as it is. @throws DocumentRejected with the path of the first mistake. */
export function flagsChecker<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  const validate = new Ajv({ strict: false }).compile(schema)
  return (value) => {
    if (validate(value)) return value as Static<S>
    throw new DocumentRejected(validate.errors?.[0]?.instancePath ?? '')
  }
}
