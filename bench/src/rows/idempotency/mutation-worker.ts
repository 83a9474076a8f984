import { createDatabase, sql } from '@melmastoon/chassis/db'
import { createIdempotency, createReplayShortcut } from '@melmastoon/chassis/idempotency'
import { createKeySpace, createRedis, waitUntilReady } from '@melmastoon/chassis/redis'
import { newId } from '@melmastoon/domain'
import { countPostgresRoundTrips, countRedisCommands } from '@melmastoon/testkit'
import { service as exampleService } from '@melmastoon/testkit/example-service'
import { measureWork } from '../../harness/measure-work.ts'
import { makeNotes, type NoteToPlace } from '../../harness/note-events.ts'
import { serveCommands } from '../../harness/serve-commands.ts'
import { type Deps, FORMS, type Kind, placeOnce } from './mutation-forms.ts'

interface Input {
  readonly kind: Kind
  readonly count: number
  readonly inFlight: number
}

const POOL_MAX = 12
const onError = () => undefined
const urls = { app: process.env['DATABASE_APP_URL'], cache: process.env['REDIS_CACHE_URL'] }
const tenantId = newId('tnt')
const deps = createDeps(urls.app ?? '', urls.cache ?? '')

function createDeps(databaseUrl: string, redisUrl: string): Deps {
  const db = createDatabase({ url: databaseUrl, poolMax: POOL_MAX, onError })
  const redis = createRedis(redisUrl, { name: 'bench', onError })
  const { schema } = exampleService.config
  const secret = Buffer.alloc(32, 1)
  const shortcut = createReplayShortcut({ redis, keys: createKeySpace('bench'), onError })
  const postgresOnly = createIdempotency({ db, schema, secret })
  return { db, redis, store: { ...postgresOnly, shortcut }, postgresOnly }
}

let notes: NoteToPlace[] = []
let keys: string[] = []

/** Replays need stored keys, and the copy in Redis is made by the first replay. */
async function prepare({ kind, count, inFlight }: Input): Promise<void> {
  notes = makeNotes(count, tenantId)
  keys = notes.map(() => newId('req'))
  await waitUntilReady(deps.redis, 5_000)
  await deps.db.query(sql`select 1`)
  const store = kind === 'replay-redis' ? deps.store : deps.postgresOnly
  const sends = { 'replay-redis': 2, 'replay-postgres': 1 }[kind as string] ?? 0
  for (let send = 0; send < sends; send += 1) {
    await measureWork({ count, inFlight, run: (index) => placeOnce(store, ...prepared(index)) })
    notes = makeNotes(count, tenantId)
  }
}

function prepared(index: number): [note: NoteToPlace, key: string] {
  const note = notes[index]
  const key = keys[index]
  if (note === undefined || key === undefined) throw new TypeError('not prepared')
  return [note, key]
}

/** Counted between the process and the servers, after statements were prepared. */
async function countTrips({ kind }: Pick<Input, 'kind'>): Promise<number> {
  await using postgres = await countPostgresRoundTrips(urls.app ?? '')
  await using redis = await countRedisCommands(urls.cache ?? '')
  const counted = createDeps(postgres.url, redis.url)
  await waitUntilReady(counted.redis, 5_000)
  const [first, second] = makeNotes(2, tenantId)
  const keyOf = () => newId('req')
  if (first === undefined || second === undefined) throw new TypeError('no notes')
  const isReplay = kind.startsWith('replay')
  const key = keyOf()
  if (isReplay) {
    const store = kind === 'replay-redis' ? counted.store : counted.postgresOnly
    for (const note of makeNotes(2, tenantId)) await placeOnce(store, note, key)
  } else await FORMS[kind](counted, first, keyOf())
  // The copy of a replayed response is sent without waiting for it.
  await counted.redis.ping()
  postgres.reset()
  redis.reset()
  await FORMS[kind](counted, second, isReplay ? key : keyOf())
  counted.redis.disconnect()
  await counted.db[Symbol.asyncDispose]()
  return postgres.count + redis.count
}

serveCommands({
  prepare,
  countTrips,
  measure: ({ kind, count, inFlight }: Input) =>
    measureWork({ count, inFlight, run: (index) => FORMS[kind](deps, ...prepared(index)) }),
})
