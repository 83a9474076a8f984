import { eventually, send } from '@melmastoon/testkit'
import { expect } from 'vitest'
import type { Hotel } from './fake-upstreams/index.ts'
import type { Fixture, TestResponse } from './start-consumer.ts'

export interface GetOptions {
  readonly query?: Record<string, string | string[]>
  readonly headers?: Record<string, string>
  readonly method?: 'GET' | 'HEAD'
}

/** Language and currency in the URL, as sent by clients behind a CDN. */
export const PREFERENCES = { locale: 'en', currency: 'AFN' }

export async function getPath(
  url: string,
  path: string,
  options: GetOptions = {},
): Promise<TestResponse> {
  const address = new URL(`/bff/consumer/v1${path}`, url)
  for (const [name, value] of Object.entries(options.query ?? {})) {
    for (const one of [value].flat()) address.searchParams.append(name, one)
  }
  const { method = 'GET', headers = {} } = options
  return await send(url, method, `${address.pathname}${address.search}`, { headers })
}

export const getHotel = (url: string, propertyId: string, options: GetOptions = {}) =>
  getPath(url, `/hotels/${propertyId}`, { query: PREFERENCES, ...options })

export const getHotelPrice = (url: string, propertyId: string, options: GetOptions = {}) =>
  getPath(url, `/hotels/${propertyId}/price`, { query: PREFERENCES, ...options })

export function hotelOf({ hotels }: { readonly hotels: readonly Hotel[] }, at = 0): Hotel {
  const hotel = hotels[at]
  if (hotel === undefined) throw new TypeError('unknown hotel')
  return hotel
}

interface Priced {
  rateSnapshot?: Record<string, unknown>
}

/** The rate of the hotel, then those of the similar hotels. */
export function ratesOf({ body }: TestResponse) {
  const similar = (body['similarProperties'] ?? []) as Priced[]
  const own = body['cheapestRateSnapshot'] as Priced['rateSnapshot']
  return [own, ...similar.map(({ rateSnapshot }) => rateSnapshot)]
}

/** Headers that are specific to one guest and must not be cached. */
export function ownHeadersOf({ headers }: TestResponse): string[] {
  const own = ['set-cookie', 'ratelimit', 'ratelimit-policy', 'x-search-session']
  return own.filter((name) => headers.has(name))
}

/** The first responses of a process are slow; no test depends on them. */
export async function warmUp({ service, upstreams }: Pick<Fixture, 'service' | 'upstreams'>) {
  const { propertyId } = hotelOf(upstreams, upstreams.hotels.length - 1)
  await eventually(
    async () => {
      const { body } = await getHotel(service.url, propertyId)
      expect(body['degraded']).toBe(false)
    },
    { timeoutMs: 20_000 },
  )
  await eventually(() => service.ctx.cache.invalidate(['hotel']))
  upstreams.requests.length = 0
}
