import type { RepeatedList } from '@melmastoon/chassis/upstream'
import type { ProblemCode } from '@melmastoon/domain'
import type { Static, TObject, TSchema } from 'typebox'

/** The platform services that the sandbox serves. */
export const UPSTREAMS = [
  'tenant',
  'theme',
  'property',
  'search',
  'pricing',
  'inventory',
  'housekeeping',
  'maintenance',
  'reservation',
  'payment',
  'iam',
  'notification',
  'lock',
  'billing',
  'ai',
  'sync',
] as const

export type UpstreamName = (typeof UPSTREAMS)[number]

/** The consumer service is called by the booking service, but is not a platform service. */
export type CalledService = UpstreamName | 'consumer'

/** One route of an upstream: its input, its output and every error code it may return. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the contract's base path; `:name` is a member of `params`. */
  readonly path: string
  readonly summary: string
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TObject
  readonly response: TSchema
  /** For clients: the list of the response whose elements are often those of earlier ones. */
  readonly repeats?: RepeatedList
  readonly status?: 200 | 201
  readonly errorCodes: readonly ProblemCode[]
  /** Of these: stored under the key although their status says that another try may succeed. */
  readonly finalErrorCodes?: readonly ProblemCode[]
  /** `X-Tenant-Id` is required, and objects of other tenants are not found (D18). */
  readonly tenantScoped?: true
  /** `Idempotency-Key` is required; all mutations have it (P7). */
  readonly idempotent?: true
}

export type Operations = Readonly<Record<string, Operation>>

export interface Contract<
  O extends Operations = Operations,
  Name extends CalledService = UpstreamName,
> {
  readonly upstream: Name
  readonly basePath: string
  readonly operations: O
}

/** A POST may also be a query that is too long for a URL. */
const ALWAYS_CHANGING: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE'])

/**
 * One contract per upstream, used by the clients and by the server, so that the two cannot drift
 * apart. A mutation that could not be retried safely is rejected here.
 */
export function defineContract<
  const O extends Operations,
  Name extends CalledService = UpstreamName,
>(contract: Contract<O, Name>): Contract<O, Name> {
  for (const [name, operation] of Object.entries(contract.operations)) {
    const where = `${contract.upstream}.${name}`
    const inPath = [...operation.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
    const declared = Object.keys(operation.params?.properties ?? {})
    if (inPath.toSorted().join() !== declared.toSorted().join()) {
      throw new TypeError(`${where}: the path and its params differ`)
    }
    if (operation.method === 'GET' && operation.idempotent) {
      throw new TypeError(`${where}: a read needs no idempotency key`)
    }
    if (ALWAYS_CHANGING.has(operation.method) && !operation.idempotent) {
      throw new TypeError(`${where}: a mutation needs an idempotency key`)
    }
  }
  return contract
}

type ReadsOf<O extends Operations> = {
  readonly [N in keyof O as O[N] extends { idempotent: true } ? never : N]: O[N]
}

/** The contract without its mutations: a client of it has no function that changes anything. */
export function readsOf<O extends Operations, Name extends CalledService>(
  contract: Contract<O, Name>,
): Contract<ReadsOf<O>, Name> {
  const reads = Object.entries(contract.operations).filter(([, { idempotent }]) => !idempotent)
  return { ...contract, operations: Object.fromEntries(reads) as ReadsOf<O> }
}

type Part<Name extends string, S> = S extends TSchema
  ? { readonly [K in Name]: Static<S> }
  : unknown

/** The input of a call: only the parts that the operation has. */
export type InputOf<O extends Operation> = Part<'params', O['params']> &
  Part<'query', O['query']> &
  Part<'body', O['body']>

export type OutputOf<O extends Operation> = Static<O['response']>

/** `/tenants/:tenantId` with its parameters in place. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}
