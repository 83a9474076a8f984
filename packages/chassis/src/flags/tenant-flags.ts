import { isId, type TenantId } from '@melmastoon/domain'
import type { Static, TSchema } from 'typebox'
import { type FlagsOptions, flagsChecker } from './flags.ts'
import { DocumentRejected, pollDocument } from './polled-document.ts'

export interface TenantFlags<T> extends Disposable {
  /** For everyone without a tenant. Never waits and never fails, like `of`. */
  current(): T
  /** For one tenant: its overrides on those of all tenants, on the defaults. */
  of(tenantId: TenantId): T
}

interface Document<T> {
  readonly all: T
  readonly tenants: ReadonlyMap<string, T>
}

/** A document with more is a mistake of the publisher. */
const TENANTS_MAX = 10_000

/**
 * Flags with overrides per tenant: `{ …flags, "tenants": { "tnt_…": { …flags } } }`. The document
 * is valid as a whole or not used at all. Objects such as sample rates are merged key by key, so an
 * override of one subject leaves the others.
 */
export function createTenantFlags<S extends TSchema>(
  options: FlagsOptions<S>,
): TenantFlags<Static<S>> {
  const { schema, defaults } = options
  const checked = flagsChecker(schema)
  const initial: Document<Static<S>> = { all: defaults, tenants: new Map() }
  const polled = pollDocument(options, initial, (document) => {
    const { tenants = {}, ...flags } = objectAt(document, '') as { tenants?: unknown }
    const all = checked(merge(defaults as object, flags))
    return { all, tenants: readTenants(tenants, (own) => checked(merge(all as object, own))) }
  })
  return {
    current: () => polled.current().all,
    of(tenantId) {
      const { all, tenants } = polled.current()
      return tenants.get(tenantId) ?? all
    },
    [Symbol.dispose]: () => polled[Symbol.dispose](),
  }
}

function readTenants<T>(tenants: unknown, read: (own: object) => T): Map<string, T> {
  const entries = Object.entries(objectAt(tenants, '/tenants'))
  if (entries.length > TENANTS_MAX) throw new DocumentRejected('/tenants')
  return new Map(
    entries.map(([id, own]) => {
      if (!isId('tnt', id)) throw new DocumentRejected('/tenants')
      return [id, read(objectAt(own, `/tenants/${id}`))]
    }),
  )
}

function objectAt(value: unknown, pointer: string): object {
  if (isObject(value)) return value
  throw new DocumentRejected(pointer)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Objects are merged one level deep; everything else is replaced. */
function merge(base: object, over: object): object {
  const known = new Map<string, unknown>(Object.entries(base))
  const entries = Object.entries(over).map(([name, value]) => {
    const before = known.get(name)
    return [name, isObject(before) && isObject(value) ? { ...before, ...value } : value] as const
  })
  return { ...base, ...Object.fromEntries(entries) }
}
