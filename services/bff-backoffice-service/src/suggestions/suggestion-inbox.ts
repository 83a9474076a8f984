import { asAbsent, type ClientOf, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import { type PropertyId, problem, type TenantId } from '@melmastoon/domain'
import type { aiContract, Suggestion } from '@melmastoon/upstream-contracts/ai'

export type SuggestionInboxCache = DefinedCache<'tenantId' | 'propertyId'>

export interface SuggestionInboxDeps {
  readonly suggestionInbox: SuggestionInboxCache
  readonly upstreams: { readonly ai: Pick<ClientOf<typeof aiContract>, 'listSuggestions'> }
}

interface InboxKey {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

export interface SuggestionInbox {
  readonly suggestions: readonly Suggestion[]
  readonly ageMs: number
  readonly isStale: boolean
}

const FRESH_MS = 60_000
const STALE_IF_ERROR_MS = 5 * 60_000
const PAGE_ROWS = 200

/** `ai:inbox` of the key schema. */
export function defineSuggestionInbox(cache: Cache, timeoutMs: number): SuggestionInboxCache {
  return cache.define({
    name: 'ai-inbox',
    dimensions: ['tenantId', 'propertyId'],
    softTtlMs: FRESH_MS,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: STALE_IF_ERROR_MS,
    jitter: 0,
    loadTimeoutMs: timeoutMs,
    isSent: false,
  })
}

/** A new, decided or ended suggestion invalidates the inbox of its property. */
export const suggestionsTag = (propertyId: PropertyId): string => `suggestions:${propertyId}`

/**
 * The open suggestions and the newest of all states, at most 400.
 * @throws Problem RESOURCE_NOT_FOUND for a property of another tenant (D18).
 */
export async function readSuggestionInbox(
  { suggestionInbox, upstreams }: SuggestionInboxDeps,
  { tenantId, propertyId }: InboxKey,
  { deadline: requestDeadline, trace }: UpstreamCall,
): Promise<SuggestionInbox> {
  const entry = await suggestionInbox.get({
    dims: { tenantId, propertyId },
    tags: [suggestionsTag(propertyId)],
    deadline: requestDeadline,
    load: async (_signal, deadline) => {
      const call = { deadline, trace, tenantId }
      const list = (query: { readonly state?: 'proposed' }) =>
        upstreams.ai.listSuggestions(
          { params: { propertyId }, query: { ...query, limit: PAGE_ROWS } },
          call,
        )
      const lists = await Promise.all([list({ state: 'proposed' }), list({})]).catch(asAbsent)
      if (lists === null) return { body: '[]', status: 404 }
      const all = lists.flatMap(({ suggestions }) => suggestions)
      return { body: JSON.stringify(newestFirst(all)) }
    },
  })
  if (entry.status !== 200) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  const suggestions = JSON.parse(entry.body.toString()) as Suggestion[]
  return { suggestions, ageMs: Math.round(entry.ageMs), isStale: entry.state === 'stale' }
}

/** Both reads may contain a suggestion: the later version counts. */
function newestFirst(suggestions: readonly Suggestion[]): Suggestion[] {
  const byId = new Map<string, Suggestion>()
  for (const suggestion of suggestions) {
    const known = byId.get(suggestion.suggestionId)
    if (known === undefined || known.version < suggestion.version) {
      byId.set(suggestion.suggestionId, suggestion)
    }
  }
  const time = ({ provenance }: Suggestion) => provenance.generatedAt
  return [...byId.values()].sort((a, b) => (time(a) < time(b) ? 1 : -1))
}
