import { readFile } from 'node:fs/promises'
import type { Redis } from '@melmastoon/chassis/redis'

/** A row of the table `Keys of <service>` in docs/redis-keys.md. */
export interface DocumentedKey {
  readonly key: string
  readonly pattern: RegExp
  readonly instance: string
  readonly maxSeconds: number
  readonly isAlways: boolean
}

export interface FoundKey {
  readonly instance: string
  readonly key: string
  readonly ttlSeconds: number
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600, d: 86_400 }
const ROW = /^\| `([^`]+)` +\| (session|cache) +\| ([^|]+?) +\| (yes|no) +\|/gm

export async function documentedKeys(document: URL, service: string): Promise<DocumentedKey[]> {
  const text = await readFile(document, 'utf8')
  const [, section = ''] = text.split(`## Keys of ${service}\n`)
  const [table = ''] = section.split('\n## ')
  return [...table.matchAll(ROW)].map(([, key = '', instance = '', ttl = '', always]) => ({
    key,
    pattern: patternOf(key),
    instance,
    maxSeconds: secondsOf(ttl),
    isAlways: always === 'yes',
  }))
}

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

/** All keys of both instances, with their remaining time. */
export async function keysInRedis(ctx: {
  readonly sessionRedis: Redis
  readonly cacheRedis: Redis
}): Promise<FoundKey[]> {
  const found = [keysIn('session', ctx.sessionRedis), keysIn('cache', ctx.cacheRedis)]
  return (await Promise.all(found)).flat()
}

async function keysIn(instance: string, redis: Redis): Promise<FoundKey[]> {
  const keys = await redis.keys('*')
  const found = keys.map(async (key) => ({ instance, key, ttlSeconds: await redis.ttl(key) }))
  // −2: expired in between.
  return (await Promise.all(found)).filter(({ ttlSeconds }) => ttlSeconds !== -2)
}

/** Keys without a row, or with a longer TTL than their row has. */
export function undocumentedKeys(
  rows: readonly DocumentedKey[],
  found: readonly FoundKey[],
): FoundKey[] {
  const fits = (row: DocumentedKey, { instance, key, ttlSeconds }: FoundKey) =>
    row.instance === instance && row.pattern.test(key) && isWithin(row.maxSeconds, ttlSeconds)
  return found.filter((one) => !rows.some((row) => fits(row, one)))
}

function isWithin(maxSeconds: number, ttlSeconds: number): boolean {
  return maxSeconds === -1 ? ttlSeconds === -1 : ttlSeconds >= 0 && ttlSeconds <= maxSeconds
}

/** Keys that every journey leaves according to the document, and this one did not. */
export function missingKeys(rows: readonly DocumentedKey[], found: readonly FoundKey[]): string[] {
  const isLeft = ({ instance, pattern }: DocumentedKey) =>
    found.some((one) => one.instance === instance && pattern.test(one.key))
  return rows.filter((row) => row.isAlways && !isLeft(row)).map(({ key }) => key)
}
