import { eventually } from '@melmastoon/testkit'
import { expect } from 'vitest'
import type { Hotel } from './fake-upstreams/index.ts'
import type { Fixture, TestResponse } from './start-consumer.ts'

export interface Asking {
  readonly query?: Record<string, string | string[]>
  readonly headers?: Record<string, string>
  readonly method?: 'GET' | 'HEAD'
}

/** A language and a currency in the address, as clients that know of CDNs ask. */
export const SAID = { locale: 'en', currency: 'AFN' }

export async function ask(url: string, path: string, asking: Asking = {}): Promise<TestResponse> {
  const address = new URL(`/bff/consumer/v1${path}`, url)
  for (const [name, value] of Object.entries(asking.query ?? {})) {
    for (const one of [value].flat()) address.searchParams.append(name, one)
  }
  const startedMs = performance.now()
  const { method = 'GET', headers = {} } = asking
  const response = await fetch(address, { method, headers })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? {} : (JSON.parse(text) as TestResponse['body']),
    durationMs: performance.now() - startedMs,
  }
}

export const askHotel = (url: string, propertyId: string, asking: Asking = {}) =>
  ask(url, `/hotels/${propertyId}`, { query: SAID, ...asking })

export const askPrice = (url: string, propertyId: string, asking: Asking = {}) =>
  ask(url, `/hotels/${propertyId}/price`, { query: SAID, ...asking })

export function hotelOf({ hotels }: { readonly hotels: readonly Hotel[] }, at = 0): Hotel {
  const hotel = hotels[at]
  if (hotel === undefined) throw new TypeError('no such hotel')
  return hotel
}

interface Priced {
  rateSnapshot?: Record<string, unknown>
}

/** Of the hotel, then of those like it. */
export function ratesOf({ body }: TestResponse) {
  const similar = (body['similarProperties'] ?? []) as Priced[]
  const own = body['cheapestRateSnapshot'] as Priced['rateSnapshot']
  return [own, ...similar.map(({ rateSnapshot }) => rateSnapshot)]
}

/** What anybody's cookie, limit or name would be kept as. */
export function ownHeadersOf({ headers }: TestResponse): string[] {
  const own = ['set-cookie', 'ratelimit', 'ratelimit-policy', 'x-search-session']
  return own.filter((name) => headers.has(name))
}

/** The first answers of a process take their time; no test is about them. */
export async function warmUp({ service, upstreams }: Pick<Fixture, 'service' | 'upstreams'>) {
  const { propertyId } = hotelOf(upstreams, upstreams.hotels.length - 1)
  await eventually(
    async () => {
      const { body } = await askHotel(service.url, propertyId)
      expect(body['degraded']).toBe(false)
    },
    { timeoutMs: 20_000 },
  )
  await eventually(() => service.ctx.cache.invalidate(['hotel']))
  upstreams.asked.length = 0
}
