import type { Redis } from '@melmastoon/chassis/redis'
import type { TestEnvironment } from './test-environment.ts'

type ReadableRedis = Pick<Redis, 'keys' | 'type' | 'call'>

/** Every row of every table of the service, after the name of its table. */
export async function textsOfPostgres({
  environment,
}: {
  readonly environment: Pick<TestEnvironment, 'schema' | 'query'>
}): Promise<string[]> {
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

interface UsesRedis {
  readonly service: {
    readonly ctx: { readonly sessionRedis: ReadableRedis; readonly cacheRedis: ReadableRedis }
  }
}

interface RedisTexts {
  /** The keys to read: all by default. */
  readonly isOwn?: (key: string) => boolean
}

/** Every key of both Redis scopes with its value. */
export async function textsOfRedis(
  { service: { ctx } }: UsesRedis,
  { isOwn = () => true }: RedisTexts = {},
): Promise<string[]> {
  const read = async (redis: ReadableRedis) => {
    const keys = (await redis.keys('*')).filter(isOwn)
    return await Promise.all(
      keys.map(async (key) => `${key}: ${JSON.stringify(await valueOf(redis, key))}`),
    )
  }
  return (await Promise.all([ctx.sessionRedis, ctx.cacheRedis].map(read))).flat()
}

const READS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  string: ['GET'],
  hash: ['HGETALL'],
  list: ['LRANGE', '0', '-1'],
  set: ['SMEMBERS'],
  zset: ['ZRANGE', '0', '-1'],
  stream: ['XRANGE', '-', '+'],
}

async function valueOf(redis: ReadableRedis, key: string): Promise<unknown> {
  const [command, ...range] = READS[await redis.type(key)] ?? ['DUMP']
  return await redis.call(command ?? 'DUMP', key, ...range)
}
