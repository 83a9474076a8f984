import { systemClock } from '@melmastoon/chassis/clock'
import { toIsoDateTime } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import { searchContract } from '@melmastoon/upstream-contracts/search'
import type { ModuleHost, ServedModule } from '../../module.ts'
import { withJson } from '../../serialized-json.ts'
import type { StockSource } from '../pricing/module.ts'
import { drawMap } from './draw-map.ts'
import { IndexUpdater } from './index/index-updater.ts'
import { listAvailability } from './list-availability.ts'
import { listFacets } from './list-facets.ts'
import { listOffers, listStayDays } from './list-offers.ts'
import { comparesPrices } from './prices/plan-prices.ts'
import { projectionHandlers } from './projection/event-handlers.ts'
import { readHotel, readListings } from './read-hotel.ts'
import { recordClick } from './record-click.ts'
import { runQuery } from './run-query.ts'
import type { SearchSources } from './search-sources.ts'
import { startRefreshing } from './start-refreshing.ts'
import { countForStay } from './suggest/count-for-stay.ts'
import { suggestNames } from './suggest/suggest-names.ts'
import { writeResponse } from './write-response.ts'

type Suggest = typeof searchContract.operations.suggest

export interface SearchModule extends ServedModule<typeof searchContract.operations>, StockSource {}

/** Without a successful poll of the tables for this long, results are marked as stale. */
const STALE_AFTER_MS = 10_000

function suggest(updater: IndexUpdater, query: InputOf<Suggest>['query']) {
  const suggestions = suggestNames(updater.index, query.q ?? '', query.limit)
  return countForStay(updater.index, { suggestions, query }, updater.now())
}

/** Searches hotels of all tenants, in an in-memory index of the data of the other modules. */
export function createSearchModule(host: ModuleHost, sources: SearchSources): SearchModule {
  const { db, config, errors, announcements } = host
  const updater = new IndexUpdater({
    db,
    publicUrl: config.publicUrl,
    sources,
    monotonicMs: () => systemClock.monotonicMs(),
  })
  const indexedAt = () => toIsoDateTime(updater.indexedAt)
  return {
    contract: searchContract,
    findStock: (propertyId) => {
      const row = updater.index.rowOf(propertyId)
      return (row === undefined ? undefined : updater.index.stocks[row]) ?? null
    },
    subscriptions: projectionHandlers({ host, sources, updater }),
    start: () => startRefreshing(updater, announcements, errors.for('search', 'refresh-index')),
    handlers: {
      query: async ({ body }) => {
        const index = comparesPrices(body) ? await updater.indexWithExchange() : updater.index
        const response = {
          ...runQuery(index, body, updater.now()),
          degradationLevel: updater.ageMs() > STALE_AFTER_MS ? 'projection_stale' : 'none',
          indexedAt: indexedAt(),
        } as const
        return withJson(response, writeResponse(index, response))
      },
      map: async ({ body }) => ({
        ...drawMap(await updater.indexWithExchange(), body, updater.now()),
        indexedAt: indexedAt(),
      }),
      hotel: async ({ params }) => ({
        ...readHotel(updater.index, params.propertyId, updater.now()),
        indexedAt: indexedAt(),
      }),
      listings: async ({ body }) => ({
        listings: readListings(updater.index, body.propertyIds),
        indexedAt: indexedAt(),
      }),
      availability: async ({ params, query }) => ({
        ...listAvailability(updater.index, { ...params, ...query }, updater.now()),
        indexedAt: indexedAt(),
      }),
      offers: ({ params, body }, { scenario }) =>
        listOffers({ updater, sources }, { ...params, ...body, scenario }),
      stayCalendar: ({ params, body }, { scenario }) =>
        listStayDays({ updater, sources }, { ...params, ...body, scenario }),
      suggest: async ({ query }) => ({
        suggestions: suggest(updater, query),
      }),
      facets: async () => ({ ...listFacets(updater.index), indexedAt: indexedAt() }),
      click: ({ body }, call) => recordClick({ db, index: updater.index }, body.propertyId, call),
    },
  }
}
