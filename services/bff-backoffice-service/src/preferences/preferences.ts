import { asAbsent, type ClientOf, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import type { Database } from '@melmastoon/chassis/db'
import { isProblem, problem } from '@melmastoon/domain'
import type { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { type PreferencesKey, selectPreferences } from './preferences-sql.ts'

export type PreferencesCache = DefinedCache<'tenantId' | 'operatorId' | 'propertyId'>

export interface PreferencesContent {
  /** Defined by the application; opaque here. */
  readonly payload: Record<string, unknown>
  /** 0 before the first change. */
  readonly version: number
}

export interface ReadPreferencesDeps {
  readonly db: Database
  readonly preferences: PreferencesCache
  readonly upstreams: {
    readonly tenant: Pick<ClientOf<typeof tenantContract>, 'getOperatorPreferences'>
  }
}

export interface ReadPreferences extends PreferencesContent {
  /** `mirror`: as last changed here, because the tenant service does not respond. */
  readonly source: 'current' | 'mirror'
}

const FRESH_MS = 5 * 60_000

/** `prefs` of the key schema. */
export function definePreferences(cache: Cache, loadTimeoutMs: number): PreferencesCache {
  return cache.define({
    name: 'prefs',
    dimensions: ['tenantId', 'operatorId', 'propertyId'],
    softTtlMs: FRESH_MS,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: FRESH_MS,
    loadTimeoutMs,
  })
}

export const preferencesTag = ({ operatorId }: Pick<PreferencesKey, 'operatorId'>): string =>
  `preferences:${operatorId}`

/** The preferences of an operator at a property (B6), from the mirror if need be. */
export async function readPreferences(
  deps: ReadPreferencesDeps,
  key: PreferencesKey,
  call: UpstreamCall,
): Promise<ReadPreferences> {
  try {
    return { ...(await readCached(deps, key, call)), source: 'current' }
  } catch (error) {
    if (!isProblem(error) || error.status < 500) throw error
    const { deadline } = call
    const [row] = await deps.db.tenantQuery(key.tenantId, selectPreferences(key), { deadline })
    if (row === undefined) throw error
    return { ...row, source: 'mirror' }
  }
}

async function readCached(
  { preferences, upstreams }: ReadPreferencesDeps,
  { tenantId, operatorId, propertyId }: PreferencesKey,
  { deadline: requestDeadline, trace }: UpstreamCall,
): Promise<PreferencesContent> {
  const entry = await preferences.get({
    dims: { tenantId, operatorId, propertyId },
    tags: [preferencesTag({ operatorId })],
    deadline: requestDeadline,
    load: async (_signal, deadline) => {
      const found = await upstreams.tenant
        .getOperatorPreferences(
          { params: { operatorId }, query: { propertyId } },
          { tenantId, deadline, trace },
        )
        .catch(asAbsent)
      if (found === null) return { body: 'null', status: 404 }
      const { payload, version } = found
      return { body: JSON.stringify({ payload, version }) }
    },
  })
  if (entry.status !== 200) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  return JSON.parse(entry.body.toString()) as PreferencesContent
}
