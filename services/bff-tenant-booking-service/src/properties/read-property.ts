import type { Section } from '@melmastoon/bff/sections'
import { asAbsent, type ClientOf, type UpstreamCall } from '@melmastoon/bff/upstreams'
import {
  type Cache,
  type CachedBytes,
  type DefinedCache,
  type LoadResult,
  memoizeDecoded,
} from '@melmastoon/chassis/cache'
import { type PropertyId, problem, type TenantId } from '@melmastoon/domain'
import type { PropertyDetail, propertyContract } from '@melmastoon/upstream-contracts/property'

export interface PropertyCaches {
  /** The public data of a hotel, in all languages. */
  readonly properties: DefinedCache<'tenantId' | 'propertyId'>
  /** The first two hotels of a tenant: enough to know whether there is a choice. */
  readonly propertyLists: DefinedCache<'tenantId'>
}

export interface PropertyDeps extends PropertyCaches {
  readonly upstreams: { readonly property: ClientOf<typeof propertyContract> }
}

const FRESH_MS = 5 * 60_000
/** Names and photos of rooms may be old; without them no page can be shown (F-2). */
const STALE_IF_ERROR_MS = 30 * 60_000

export function definePropertyCaches(cache: Cache, loadTimeoutMs: number): PropertyCaches {
  const policy = {
    softTtlMs: FRESH_MS,
    staleWhileRevalidateMs: 60_000,
    staleIfErrorMs: STALE_IF_ERROR_MS,
    negativeTtlMs: 10_000,
    loadTimeoutMs,
  }
  return {
    properties: cache.define({
      name: 'property',
      dimensions: ['tenantId', 'propertyId'],
      ...policy,
    }),
    propertyLists: cache.define({ name: 'property-list', dimensions: ['tenantId'], ...policy }),
  }
}

export interface PropertyKey {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

export interface ReadProperty {
  readonly property: PropertyDetail
  readonly section: Section
}

/**
 * A hotel of this tenant; one of another tenant does not exist (D18).
 * @throws Problem PROPERTY.NOT_FOUND, or why the property service cannot be called.
 */
export async function readProperty(
  deps: PropertyDeps,
  { tenantId, propertyId }: PropertyKey,
  { deadline, trace }: UpstreamCall,
): Promise<ReadProperty> {
  const entry = await deps.properties.get({
    dims: { tenantId, propertyId },
    tags: propertyTags({ tenantId, propertyId }),
    deadline,
    load: (_signal, loadDeadline) =>
      load(deps, { tenantId, propertyId }, { deadline: loadDeadline, trace }),
  })
  if (entry.status !== 200) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  const status = entry.state === 'stale' ? 'stale' : 'fresh'
  return { property: parse(entry), section: { status, ageMs: Math.round(entry.ageMs) } }
}

export function propertyTags({ tenantId, propertyId }: PropertyKey): readonly string[] {
  return [`property:${tenantId}:${propertyId}`]
}

async function load(
  { upstreams }: PropertyDeps,
  { tenantId, propertyId }: PropertyKey,
  call: UpstreamCall,
): Promise<LoadResult> {
  const found = await upstreams.property
    .getProperty({ params: { propertyId } }, call)
    .catch(asAbsent)
  if (found === null || found.tenantId !== tenantId) return { status: 404, body: '' }
  if (found.propertyId !== propertyId) throw problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN')
  return { body: JSON.stringify(found) }
}

const parseBody = memoizeDecoded((body) => JSON.parse(body.toString()) as PropertyDetail)

/** An entry is parsed once, however often this process reads it. */
function parse({ body }: CachedBytes): PropertyDetail {
  return parseBody(body)
}

/** Synchronous: undefined unless this process knows the tenant's only hotel. */
export function peekOnlyProperty(
  { propertyLists }: Pick<PropertyDeps, 'propertyLists'>,
  tenantId: TenantId,
): PropertyId | undefined {
  const entry = propertyLists.peek({ tenantId }, listTags(tenantId))
  return (entry && onlyOf(entry)) ?? undefined
}

/** The hotel of a tenant that has exactly one; null when guests must choose. */
export async function findOnlyProperty(
  deps: PropertyDeps,
  tenantId: TenantId,
  { deadline, trace }: UpstreamCall,
): Promise<PropertyId | null> {
  const entry = await deps.propertyLists.get({
    dims: { tenantId },
    tags: listTags(tenantId),
    deadline,
    load: async (_signal, loadDeadline) => {
      const { properties } = await deps.upstreams.property.listByTenant(
        { query: { limit: 2 } },
        { deadline: loadDeadline, trace, tenantId },
      )
      return { body: JSON.stringify(properties.map(({ propertyId }) => propertyId)) }
    },
  })
  return onlyOf(entry)
}

function listTags(tenantId: TenantId): readonly string[] {
  return [`properties:${tenantId}`]
}

function onlyOf({ body }: CachedBytes): PropertyId | null {
  const [only, ...others] = JSON.parse(body.toString()) as PropertyId[]
  return only === undefined || others.length > 0 ? null : only
}
