import type { Redis } from '@melmastoon/chassis/redis'
import type { Checkout } from './checkout.ts'

/** Personal data that occurs nowhere else, in every field that a guest can fill in. */
export const CANARY = {
  fullName: 'Canarina Featherstonehaugh',
  email: 'canarina.featherstonehaugh@example.com',
  phone: '+93 79 424 2424',
  specialRequests: 'a cage for the canarybird please',
  company: 'Featherstonehaugh Trading',
  termsAccepted: true,
} as const

/** Parts that would give the guest away, in any case, as text or as hexadecimal bytes. */
const NEEDLES = ['canarina', 'featherstonehaugh', 'canarybird', '794242424', '79 424 2424']

export function leaksIn(texts: readonly string[]): string[] {
  const hex = NEEDLES.map((needle) => Buffer.from(needle).toString('hex'))
  const base64 = NEEDLES.map((needle) => Buffer.from(needle).toString('base64').slice(0, -4))
  return texts.filter((text) => {
    const lower = text.toLowerCase()
    return (
      [...NEEDLES, ...hex].some((needle) => lower.includes(needle)) ||
      base64.some((needle) => needle.length > 8 && text.includes(needle))
    )
  })
}

/** Every row of every table of the service. */
export async function textsOfPostgres({
  environment,
}: Pick<Checkout, 'environment'>): Promise<string[]> {
  const { schema } = environment
  const tables = await environment.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = $1`,
    [schema],
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await environment.query<{ text: string }>(
      `select row_to_json(t)::text as text from ${schema}."${name}" t`,
    )
    texts.push(...rows.map(({ text }) => `${name}: ${text}`))
  }
  return texts
}

/** Every key of both Redis scopes with its value. */
export async function textsOfRedis({
  service: { ctx },
}: Pick<Checkout, 'service'>): Promise<string[]> {
  const found = await Promise.all([ctx.sessionRedis, ctx.cacheRedis].map(textsOfOne))
  return found.flat()
}

async function textsOfOne(redis: Pick<Redis, 'keys' | 'type' | 'call'>): Promise<string[]> {
  const keys = await redis.keys('*')
  return await Promise.all(
    keys.map(async (key) => `${key}: ${JSON.stringify(await valueOf(redis, key))}`),
  )
}

const READS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  string: ['GET'],
  hash: ['HGETALL'],
  list: ['LRANGE', '0', '-1'],
  set: ['SMEMBERS'],
  zset: ['ZRANGE', '0', '-1'],
  stream: ['XRANGE', '-', '+'],
}

async function valueOf(redis: Pick<Redis, 'type' | 'call'>, key: string): Promise<unknown> {
  const [command, ...range] = READS[await redis.type(key)] ?? ['DUMP']
  return await redis.call(command ?? 'DUMP', key, ...range)
}
