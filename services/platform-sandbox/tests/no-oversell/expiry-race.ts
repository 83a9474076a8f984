import { setTimeout as sleep } from 'node:timers/promises'
import { idToUuid, parseId } from '@melmastoon/domain'
import { type TestEnvironment, type TestResponse } from '../start-sandbox.ts'
import { type Hotel, openHotel, placeHold, settleHold } from './hotel.ts'
import { createSweeper } from './sweep.ts'

export interface ExpiryRace {
  readonly hotel: Hotel
  readonly committed: readonly string[]
  readonly rejected: readonly TestResponse[]
  readonly states: Readonly<Record<string, number>>
}

const GROUP = 12
const AT_ONCE = 40
const EXPIRES_IN_MS = 60

/**
 * Holds that expire in small groups. Each is committed within some milliseconds of its expiry while
 * a sweeper runs without pause. The right lead time depends on the machine, so every group adjusts
 * it from the previous one.
 */
export async function raceExpiry(
  environment: TestEnvironment,
  url: string,
  trials: number,
): Promise<ExpiryRace> {
  const hotel = await openHotel(environment, { rooms: [trials] })
  await using sweeper = createSweeper(environment)
  const ids = await placeMany(url, hotel, trials)
  let isDone = false
  const sweeping = (async () => {
    while (!isDone) {
      await sweeper.sweep()
      await sleep(1)
    }
  })()
  const settled: Settled[] = []
  try {
    let leadMs = 15
    for (let from = 0; from < ids.length; from += GROUP) {
      const group = await raceGroup(
        { environment, url, hotel, leadMs },
        ids.slice(from, from + GROUP),
      )
      settled.push(...group)
      const early = group.filter(({ response }) => response.status === 200).length
      leadMs *= early > GROUP / 2 ? 0.6 : 1.6
    }
  } finally {
    isDone = true
  }
  await sweeping
  await sweeper.sweep()
  const committed = settled.filter(({ response }) => response.status === 200)
  return {
    hotel,
    committed: committed.map(({ allocationId }) => allocationId),
    rejected: settled
      .filter(({ response }) => response.status !== 200)
      .map(({ response }) => response),
    states: await countStates(environment, hotel),
  }
}

interface Settled {
  readonly allocationId: string
  readonly response: TestResponse
}

interface GroupRace {
  readonly environment: TestEnvironment
  readonly url: string
  readonly hotel: Hotel
  readonly leadMs: number
}

async function raceGroup(
  { environment, url, hotel, leadMs }: GroupRace,
  ids: readonly string[],
): Promise<Settled[]> {
  const expiryMs = await setSharedExpiry(environment, ids, EXPIRES_IN_MS + leadMs)
  return await Promise.all(
    ids.map(async (allocationId, index) => {
      const jitterMs = (index % 11) - 5
      await sleep(Math.max(0, expiryMs - leadMs + jitterMs - Date.now()))
      const response = await settleHold(url, hotel, { allocationId, how: 'commit' })
      return { allocationId, response }
    }),
  )
}

async function placeMany(url: string, hotel: Hotel, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const some = Math.min(AT_ONCE, count - ids.length)
    const placed = await Promise.all(Array.from({ length: some }, () => placeHold(url, hotel)))
    ids.push(...placed.map(({ body }) => String(body['allocationId'])))
  }
  return ids
}

/** By the database clock, which is also that of this machine; returns the time. */
async function setSharedExpiry(
  environment: TestEnvironment,
  ids: readonly string[],
  ms: number,
): Promise<number> {
  const [row] = await environment.query<{ expires_at: Date }>(
    `update sandbox.inventory_allocation a
     set expires_at = clock.at + $2 * interval '1 ms'
     from (select clock_timestamp() as at) clock
     where a.allocation_id = any ($1)
     returning a.expires_at`,
    [ids.map((id) => idToUuid(parseId('inv', id))), ms],
  )
  return row?.expires_at.getTime() ?? Number.NaN
}

async function countStates(
  environment: TestEnvironment,
  { propertyId }: Hotel,
): Promise<Record<string, number>> {
  const rows = await environment.query<{ state: string; n: number }>(
    `select state, count(*)::int as n from sandbox.inventory_allocation
     where property_id = $1 group by state`,
    [idToUuid(propertyId)],
  )
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}
