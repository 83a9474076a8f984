import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import type { IsoDate } from '@melmastoon/domain'
import type { aiContract } from '@melmastoon/upstream-contracts/ai'
import type { notificationContract } from '@melmastoon/upstream-contracts/notification'
import type { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import type { Operator } from '../access/operator.ts'
import type { BoardUpstreams, Source, SourceDeps } from '../boards/board-sources.ts'
import type { PropertyKey } from '../properties/read-hotel-day.ts'
import type { PriceCurrencyDeps } from './price-currency.ts'

export interface WidgetDeps extends SourceDeps, Pick<PriceCurrencyDeps, 'priceCurrency'> {
  readonly upstreams: BoardUpstreams & {
    readonly notification: ClientOf<typeof notificationContract>
    readonly ai: ClientOf<typeof aiContract>
    readonly pricing: ClientOf<typeof pricingContract>
  }
}

export interface WidgetRequest extends PropertyKey {
  readonly viewer: Pick<Operator, 'roles' | 'isLead' | 'operatorId'>
}

/** Of widgets that show a day of the hotel. */
export interface DatedRequest extends WidgetRequest {
  readonly date: IsoDate
}

type WidgetData = Readonly<Record<string, unknown>>

/** The data of a widget, and how old the oldest list is that it was made of. */
export interface WidgetReading {
  readonly data: WidgetData
  readonly ageMs: number
  readonly source: Source<unknown>['source']
  /** An upstream was called for it. */
  readonly isLive: boolean
}

export type ReadWidget<R extends WidgetRequest> = (
  deps: WidgetDeps,
  request: R,
  call: UpstreamCall,
) => Promise<WidgetReading>

/** Read from the upstream just now. */
export function liveReading(data: WidgetData): WidgetReading {
  return { data, ageMs: 0, source: 'live', isLive: true }
}

/** The lists have caches of their own: data is as old as the oldest of them. */
export function readingOf(
  data: WidgetData,
  lists: readonly Pick<Source<unknown>, 'ageMs' | 'source'>[],
): WidgetReading {
  const hasSource = (source: WidgetReading['source']) =>
    lists.some((list) => list.source === source)
  return {
    data,
    ageMs: Math.max(0, ...lists.map(({ ageMs }) => ageMs)),
    source: hasSource('stale') ? 'stale' : hasSource('cache') ? 'cache' : 'live',
    isLive: hasSource('live'),
  }
}
