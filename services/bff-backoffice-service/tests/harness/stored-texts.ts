import type { Redis } from '@melmastoon/chassis/redis'
import type { Backoffice } from './start-backoffice.ts'

/** Every row of every table of the service, after the name of its table. */
export async function textsOfPostgres({
  environment,
}: Pick<Backoffice, 'environment'>): Promise<string[]> {
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
}: Pick<Backoffice, 'service'>): Promise<string[]> {
  const found = await Promise.all([ctx.sessionRedis, ctx.cacheRedis].map(textsOfOne))
  return found.flat()
}

async function textsOfOne(redis: Pick<Redis, 'keys' | 'type' | 'call'>): Promise<string[]> {
  const keys = await redis.keys('*')
  const own = keys.filter((key) => !key.startsWith('platform-sandbox:'))
  return await Promise.all(
    own.map(async (key) => `${key}: ${JSON.stringify(await valueOf(redis, key))}`),
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
