import { readFile } from 'node:fs/promises'
import type { Redis } from '@melmastoon/chassis/redis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJourneyClient, journeyTo } from '../harness/guest-journey.ts'
import { type Fixture, startFixture } from '../harness/start-consumer.ts'

const DOCUMENT = new URL('../../../../docs/redis-keys.md', import.meta.url)

interface Row {
  readonly key: string
  readonly pattern: RegExp
  readonly instance: string
  readonly maxSeconds: number
  readonly isAlways: boolean
}

interface Found {
  readonly instance: string
  readonly key: string
  readonly ttlSeconds: number
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600, d: 86_400 }

/** `none` is −1, as in Redis. */
function secondsOf(text: string): number {
  if (text === 'none') return -1
  const [, amount, unit = ''] = /^(\d+) (s|min|h|d)$/.exec(text) ?? []
  return Number(amount) * (UNIT_SECONDS[unit] ?? Number.NaN)
}

/** `<part>` in a documented key matches one part without a colon. */
function patternOf(key: string): RegExp {
  const escaped = key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/<tag>/g, '[!-~]+').replace(/<[a-z- ]+>/g, '[^:{}@]+')}$`)
}

async function documentedRows(): Promise<Row[]> {
  const text = await readFile(DOCUMENT, 'utf8')
  const rows = text.matchAll(/^\| `([^`]+)` +\| (session|cache) +\| ([^|]+?) +\| (yes|no) +\|/gm)
  return [...rows].map(([, key = '', instance = '', ttl = '', always]) => ({
    key,
    pattern: patternOf(key),
    instance,
    maxSeconds: secondsOf(ttl),
    isAlways: always === 'yes',
  }))
}

async function keysIn(instance: string, redis: Redis): Promise<Found[]> {
  const keys = await redis.keys('*')
  const found = keys.map(async (key) => ({ instance, key, ttlSeconds: await redis.ttl(key) }))
  // −2: expired in between.
  return (await Promise.all(found)).filter(({ ttlSeconds }) => ttlSeconds !== -2)
}

/** Keys without a row, or with a longer TTL than their row has. */
function undocumented(rows: readonly Row[], found: readonly Found[]): Found[] {
  const fits = (row: Row, { instance, key, ttlSeconds }: Found) =>
    row.instance === instance && row.pattern.test(key) && isWithin(row.maxSeconds, ttlSeconds)
  return found.filter((one) => !rows.some((row) => fits(row, one)))
}

function isWithin(maxSeconds: number, ttlSeconds: number): boolean {
  return maxSeconds === -1 ? ttlSeconds === -1 : ttlSeconds >= 0 && ttlSeconds <= maxSeconds
}

let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

async function bothInstances(): Promise<Found[]> {
  const { sessionRedis, cacheRedis } = fixture.service.ctx
  const found = [keysIn('session', sessionRedis), keysIn('cache', cacheRedis)]
  return (await Promise.all(found)).flat()
}

/** The keys before the last step, which clears the session, and those after it. */
async function runStep(): Promise<Found[]> {
  const [hotel] = fixture.upstreams.hotels
  if (hotel === undefined) throw new TypeError('no hotel')
  const request = createJourneyClient(fixture.service.url)
  const steps = journeyTo(hotel)
  const statuses: number[] = []
  for (const step of steps.slice(0, -1)) statuses.push(await request(step))
  expect(statuses.every((status) => status < 300)).toBe(true)
  // Searches are stored after the response.
  const hasSearches = async () =>
    (await bothInstances()).some(({ key }) => key.includes(':guest-searches:'))
  await expect.poll(hasSearches).toBe(true)
  const before = await bothInstances()
  for (const step of steps.slice(-1)) expect(await request(step)).toBeLessThan(300)
  return [...before, ...(await bothInstances())]
}

it('D27 a journey leaves exactly the documented keys in Redis', async () => {
  const rows = await documentedRows()
  expect(rows.map(({ maxSeconds }) => maxSeconds)).not.toContain(Number.NaN)
  const found = await runStep()
  expect(undocumented(rows, found)).toEqual([])
  const isLeft = ({ instance, pattern }: Row) =>
    found.some((one) => one.instance === instance && pattern.test(one.key))
  const missing = rows.filter((row) => row.isAlways && !isLeft(row))
  expect(missing.map(({ key }) => key)).toEqual([])
})

it('control: another name, instance or TTL is reported', async () => {
  const rows = await documentedRows()
  const key = 'bff-consumer-service:v1:search-session:srs_1'
  const known = { instance: 'session', key, ttlSeconds: 3_600 }
  expect(undocumented(rows, [known])).toEqual([])
  const otherGuests = [
    { ...known, key: 'srs_session:srs_1' },
    { ...known, instance: 'cache' },
    { ...known, ttlSeconds: 3_601 },
    { ...known, ttlSeconds: -1 },
  ]
  expect(undocumented(rows, otherGuests)).toEqual(otherGuests)
})
