import { systemClock } from '@melmastoon/chassis/clock'
import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import {
  addDays,
  idToUuid,
  newId,
  type PropertyId,
  problem,
  type TenantId,
  todayIn,
  uuidToId,
} from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { SuggestionDetail } from '@melmastoon/upstream-contracts/ai'
import type { AiHost } from './ai-host.ts'
import { buildSuggestion } from './build-suggestion.ts'
import { FACT_NIGHTS, type HotelFacts } from './facts.ts'
import { findSuggestion } from './read-suggestions.ts'
import { type Draft, deriveDrafts, RULES, type RuleCategory } from './rules.ts'
import { type SourceRow, selectSource } from './source-sql.ts'
import type { StoredSuggestion } from './suggestion.ts'
import { type SuggestionCause, stateEvent } from './suggestion-events.ts'
import { insertSuggestions, type NewSuggestion } from './suggestion-sql.ts'

/** Suggestions for the current state of a hotel; those made before today are not repeated. */
export async function proposeForHotel(
  host: AiHost,
  source: SourceRow,
  cause: EventContext,
): Promise<number> {
  const tenantId = uuidToId('tnt', source.tenant_id)
  const facts = await readFacts(host, source, cause)
  const rows = deriveDrafts(facts).map((draft) => toRow(draft, { tenantId, facts }))
  if (rows.length === 0) return 0
  const { registry } = host
  return await host.db.withTenant(tenantId, async (tx) => {
    return (await propose(tx, rows, { registry, cause })).length
  })
}

export interface ForcedProposal {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly category: RuleCategory
}

/** For demonstrations: also when the rule finds no reason, and any number of times. */
export async function proposeForced(
  host: AiHost,
  { tenantId, propertyId, category }: ForcedProposal,
  cause: EventContext,
): Promise<SuggestionDetail> {
  const statement = selectSource(idToUuid(tenantId), idToUuid(propertyId))
  const [source] = await host.db.tenantQuery(tenantId, statement)
  if (source === undefined) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  const facts = await readFacts(host, source, cause)
  const draft = RULES[category](facts, true)
  if (draft === null) throw problem('MELMASTOON.GENERAL.CONFLICT')
  const row = toRow({ ...draft, key: `${draft.key}:${newId('req')}` }, { tenantId, facts })
  const { registry } = host
  return await host.db.withTenant(tenantId, async (tx) => {
    const [proposed] = await propose(tx, [row], { registry, cause })
    if (proposed === undefined) throw problem('MELMASTOON.GENERAL.CONFLICT')
    return proposed.detail
  })
}

/** In a transaction of the tenant. Returns those that are new. */
export async function propose(
  tx: Tx,
  rows: readonly NewSuggestion[],
  by: SuggestionCause,
): Promise<StoredSuggestion[]> {
  const added = new Set((await tx.query(insertSuggestions(rows))).map((row) => row.suggestion_id))
  const proposed: StoredSuggestion[] = []
  for (const { tenant_id: tenant, suggestion_id: suggestion } of rows) {
    if (added.has(suggestion)) proposed.push(await findSuggestion(tx, { tenant, suggestion }))
  }
  await appendEvents(
    tx,
    proposed.map((suggestion) => stateEvent(suggestion, by)),
  )
  return proposed
}

function toRow(
  draft: Draft,
  { tenantId, facts }: { readonly tenantId: TenantId; readonly facts: HotelFacts },
): NewSuggestion {
  const { propertyId, today } = facts
  const generatedAt = systemClock.now()
  return buildSuggestion(draft, {
    tenantId,
    propertyId,
    suggestionId: newId('sug'),
    input: facts,
    snapshotId: `inventory@${generatedAt.toISOString()}`,
    generatedAt,
    period: today,
  })
}

async function readFacts(
  { inventory }: AiHost,
  source: SourceRow,
  cause: EventContext,
): Promise<HotelFacts> {
  const tenantId = uuidToId('tnt', source.tenant_id)
  const propertyId = uuidToId('ppt', source.property_id)
  const today = todayIn(source.time_zone, systemClock.now())
  const query = { propertyId, from: today, to: addDays(today, FACT_NIGHTS) }
  const call = { caller: 'ai', locale: 'en', scenario: undefined, cause, tenantId } as const
  const { roomTypes } = await inventory.handlers.availability({ query }, call)
  const nights = roomTypes.flatMap(({ roomTypeId, nights: ofType }) =>
    ofType.map(({ night, capacity, held, sold }) => ({
      roomTypeId,
      night,
      capacity,
      sold: held + sold,
    })),
  )
  return {
    propertyId,
    timeZone: source.time_zone,
    today,
    roomTypes: source.room_types,
    nights: nights.toSorted((a, b) => (a.night < b.night ? -1 : 1)),
    arrivals: [],
    cancellations: 0,
  }
}
