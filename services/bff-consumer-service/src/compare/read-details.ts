import type { Section } from '@melmastoon/bff/sections'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { createDeadline } from '@melmastoon/chassis/clock'
import type { PropertyId } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import type { ConsumerContext } from '../context.ts'
import { propertyOf } from '../hotels/hotel-facts.ts'
import { readProperty } from '../hotels/read-sources.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'

export interface Details {
  readonly byProperty: ReadonlyMap<PropertyId, PropertyDetail>
  /** Of the oldest one. */
  readonly ageMs: number
  readonly isStale: boolean
}

/** What the property service tells of each hotel; those it does not tell of are left out. */
export async function readDetails(
  ctx: ConsumerContext,
  propertyIds: readonly PropertyId[],
  { deadline: whole, trace }: UpstreamCall,
): Promise<Details> {
  using deadline = createDeadline(UPSTREAM_MS.property, { parent: whole.signal })
  const settled = await Promise.allSettled(
    propertyIds.map((propertyId) => readProperty(ctx, propertyId, { deadline, trace })),
  )
  const entries = settled.filter((read) => read.status === 'fulfilled').map(({ value }) => value)
  const known = entries.filter(({ status }) => status === 200)
  const details = known.map(propertyOf)
  return {
    byProperty: new Map(details.map((detail) => [detail.propertyId, detail])),
    ageMs: known.reduce((oldestMs, { ageMs }) => Math.max(oldestMs, ageMs), 0),
    isStale: known.some(({ state }) => state === 'stale'),
  }
}

/** Judged by the hotels that are shown: the others need none. */
export function judgeDetails(
  { byProperty, ageMs, isStale }: Details,
  shown: readonly PropertyId[],
): Section {
  const isComplete = shown.every((propertyId) => byProperty.has(propertyId))
  if (!isComplete) return { status: 'missing', ageMs: Math.round(ageMs) }
  return { status: isStale ? 'stale' : 'fresh', ageMs: Math.round(ageMs) }
}
