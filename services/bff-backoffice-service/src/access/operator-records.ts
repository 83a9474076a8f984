import { asAbsent, type ClientOf, type UpstreamCall } from '@melmastoon/bff/upstreams'
import {
  type Cache,
  type CachedBytes,
  type DefinedCache,
  memoizeDecoded,
} from '@melmastoon/chassis/cache'
import type { OperatorId, TenantId } from '@melmastoon/domain'
import type { Operator, tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { LRUCache } from 'lru-cache'

/** What the tenant service says about an operator now. */
export type OperatorRecord = Pick<
  Operator,
  'roles' | 'isLead' | 'properties' | 'status' | 'chargeLimit'
>

export interface OperatorRecordsDeps {
  readonly cache: Cache
  readonly upstreams: { readonly tenant: Pick<ClientOf<typeof tenantContract>, 'getOperator'> }
}

interface OperatorRef {
  readonly tenantId: TenantId
  readonly operatorId: OperatorId
}

/** Made once per operator: the cache recognises the same frozen objects. */
export interface OperatorLookup {
  readonly dims: OperatorRef
  readonly tags: readonly string[]
}

const LOOKUPS_MAX = 20_000
const lookups = new LRUCache<OperatorId, OperatorLookup>({ max: LOOKUPS_MAX })

/** The tokens and streams of an operator share it: its cache key alone takes 200 bytes. */
export function operatorLookup({ tenantId, operatorId }: OperatorRef): OperatorLookup {
  const known = lookups.get(operatorId)
  if (known?.dims.tenantId === tenantId) return known
  const dims = Object.freeze({ tenantId, operatorId })
  const lookup = { dims, tags: [operatorTag(operatorId)] }
  lookups.set(operatorId, lookup)
  return lookup
}

/** Of all entries that depend on an operator's role: a changed role invalidates them. */
export const operatorTag = (operatorId: OperatorId): string => `operator:${operatorId}`

const FRESH_MS = 5 * 60_000
/** The upstream's own limit is shorter. */
const LOAD_MS = 5_000

/** Records for five minutes; the event about a changed role invalidates them. */
export class OperatorRecords {
  readonly #upstreams: OperatorRecordsDeps['upstreams']
  readonly #cache: DefinedCache<'tenantId' | 'operatorId'>

  constructor({ cache, upstreams }: OperatorRecordsDeps) {
    this.#upstreams = upstreams
    this.#cache = cache.define({
      name: 'operator',
      dimensions: ['tenantId', 'operatorId'],
      softTtlMs: FRESH_MS,
      staleWhileRevalidateMs: 0,
      staleIfErrorMs: FRESH_MS,
      loadTimeoutMs: LOAD_MS,
    })
  }

  /** Null: there is no such operator. @throws Problem when it is not cached and cannot be read */
  async get(lookup: OperatorLookup, call: UpstreamCall): Promise<OperatorRecord | null> {
    const known = this.known(lookup)
    if (known !== undefined) return known
    const { dims, tags } = lookup
    const { deadline, trace } = call
    const entry = await this.#cache.get({
      dims,
      tags,
      deadline,
      load: (_signal, limit) => this.#load(dims, { deadline: limit, trace }),
    })
    return this.#parse(entry)
  }

  /** Undefined: this process does not have it. */
  known({ dims, tags }: OperatorLookup): OperatorRecord | null | undefined {
    const entry = this.#cache.peek(dims, tags)
    return entry && this.#parse(entry)
  }

  async #load({ tenantId, operatorId }: OperatorRef, call: UpstreamCall) {
    const found = await this.#upstreams.tenant
      .getOperator({ params: { operatorId } }, { ...call, tenantId })
      .catch(asAbsent)
    if (found === null) return { status: 404, body: '' }
    const { roles, isLead, properties, status, chargeLimit } = found
    return { body: JSON.stringify({ roles, isLead, properties, status, chargeLimit }) }
  }

  #parse(entry: CachedBytes): OperatorRecord | null {
    return entry.status === 200 ? recordOf(entry.body) : null
  }
}

/** The entry of a request and of the next one have the same bytes: they are parsed once. */
const recordOf = memoizeDecoded((body) => JSON.parse(body.toString()) as OperatorRecord)
