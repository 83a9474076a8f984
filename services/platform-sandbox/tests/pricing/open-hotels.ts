import { randomUUID } from 'node:crypto'
import {
  addDays,
  type CurrencyCode,
  type IsoDate,
  idToUuid,
  parseIsoDate,
  type TenantId,
  todayIn,
} from '@melmastoon/domain'
import { pricingContract, type Quote } from '@melmastoon/upstream-contracts/pricing'
import { generateWorld } from '../../src/world/generate-world.ts'
import type { World, WorldProperty } from '../../src/world/world.ts'
import { seedWorld } from '../search/start-search.ts'
import {
  clientFor,
  type RunningSandbox,
  sandboxEnvironment,
  send,
  serviceHeaders,
  startSandbox,
  type TestEnvironment,
  type TestResponse,
} from '../start-sandbox.ts'

export interface Hotels extends AsyncDisposable {
  readonly environment: TestEnvironment
  readonly sandbox: RunningSandbox
  readonly world: World
  readonly today: IsoDate
  client(scenario?: string): PricingClient
}

type PricingClient = ReturnType<typeof clientFor<typeof pricingContract.operations>>

/** All hotels of a small world, without guests: every room is available. */
export async function openHotels(): Promise<Hotels> {
  const environment = await sandboxEnvironment()
  const today = todayIn('Asia/Kabul', new Date())
  const generated = generateWorld({ seed: 'pricing', anchorDate: today, properties: 40 })
  const world = { ...generated, stays: [] }
  await seedWorld(environment, world)
  const sandbox = await startSandbox(environment)
  return {
    environment,
    sandbox,
    world,
    today,
    client: (scenario) =>
      clientFor(pricingContract, sandbox.url, scenario === undefined ? {} : { scenario }),
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]()
      await environment[Symbol.asyncDispose]()
    },
  }
}

/** A hotel of a detailed tenant: it has all four plans and all promotions. */
export function richHotel({ world }: Hotels, currency: CurrencyCode = 'AFN'): WorldProperty {
  const rich = new Set(world.tenants.filter((one) => one.isRich).map(({ tenantId }) => tenantId))
  const hotel = world.properties.find(
    (property) => rich.has(property.tenantId) && property.currency === currency,
  )
  if (hotel === undefined) throw new Error(`no detailed hotel uses ${currency}`)
  return hotel
}

export function stayIn(hotels: Hotels, days: number, nights: number) {
  const checkIn = addDays(hotels.today, days)
  return { checkIn, checkOut: addDays(checkIn, nights) }
}

export const COUPLE = { adults: 2, children: 0, rooms: 1 }

export function quoteBody(hotels: Hotels, hotel: WorldProperty, more: object = {}) {
  const [room] = hotel.roomTypes
  if (room === undefined) throw new Error('a hotel without rooms')
  return {
    propertyId: hotel.propertyId,
    rooms: [{ roomTypeId: room.roomTypeId, quantity: 1 }],
    stay: stayIn(hotels, 20, 2),
    occupancy: COUPLE,
    ...more,
  }
}

export interface PostOptions {
  readonly tenantId: TenantId
  readonly key?: string
  readonly scenario?: string
}

const BASE = '/upstreams/pricing/api/v1'

export function post(
  { sandbox }: Hotels,
  path: string,
  json: unknown,
  { tenantId, key = randomUUID(), scenario }: PostOptions,
): Promise<TestResponse> {
  const headers = {
    ...serviceHeaders(tenantId),
    ...(scenario !== undefined && { 'x-sandbox-scenario': scenario }),
  }
  return send(sandbox.url, 'POST', BASE + path, { json, key, headers })
}

/** The last part of the code and, for each error, pointer and code. */
export function rejectionParts({ status, body }: TestResponse) {
  const errors = (body['errors'] ?? []) as { pointer: string; code: string }[]
  const code = String(body['code']).split('.').at(-1)
  return [status, code, ...errors.map((error) => `${error.pointer} ${error.code}`)]
}

export async function takeQuote(
  hotels: Hotels,
  hotel: WorldProperty,
  more: object = {},
): Promise<Quote> {
  const response = await post(hotels, '/pricing/quotes', quoteBody(hotels, hotel, more), hotel)
  if (response.status !== 201) throw new Error(`no quote: ${response.text}`)
  return response.body as Quote
}

/** Makes the exchange rates some hours older. */
export async function ageFx({ environment }: Hotels, hours: number): Promise<void> {
  await environment.query(
    `update sandbox.pricing_fx_snapshot set
       taken_at = taken_at - make_interval(hours => $1),
       stale_after = stale_after - make_interval(hours => $1),
       hard_expire_at = hard_expire_at - make_interval(hours => $1)`,
    [hours],
  )
}

export async function endQuote({ environment }: Hotels, { quoteId }: Quote): Promise<void> {
  const ended = 'update sandbox.pricing_quote set expires_at = now() where quote_id = $1'
  await environment.query(ended, [idToUuid(quoteId)])
}

export const LONG_AGO = parseIsoDate('2020-01-01')
