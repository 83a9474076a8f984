import { createDatabase, ensureRoles, migrate, sharedMigrations, sql } from '@melmastoon/chassis/db'
import { buildApp, idempotent, idempotentWrite } from '@melmastoon/chassis/http'
import { createIdempotency } from '@melmastoon/chassis/idempotency'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { createRedis } from '@melmastoon/chassis/redis'
import { newId } from '@melmastoon/domain'
import { buildEvent } from '../../harness/note-events.ts'
import { serveCommands } from '../../harness/serve-commands.ts'
import { signHandoff } from './sign-handoff.ts'

interface Start {
  readonly url: string
  readonly redisUrl: string
  readonly form: 'one-statement' | 'claim-transaction'
}

const SCHEMA = 'bench_handoff'
const onError = () => undefined
const TABLE = `create table ${SCHEMA}.handoffs
    (id uuid primary key, handoff jsonb, expires_at timestamptz);
  grant select, insert on ${SCHEMA}.handoffs to ${SCHEMA}_app`

/** The mint in both forms, with nothing else: no session, limits, tenant or hotel. */
async function start({ url, redisUrl, form }: Start): Promise<number> {
  await ensureRoles(url, SCHEMA)
  const shared = await sharedMigrations({ schema: SCHEMA, idempotencyIsolation: false })
  const migrations = [...shared, { version: '0100_handoffs', up: TABLE }]
  await migrate({ url, schema: SCHEMA, migrations })
  const appUrl = url.replace('//postgres@', `//${SCHEMA}_app@`)
  const db = createDatabase({ url: appUrl, poolMax: 8, onError })
  const redis = createRedis(redisUrl, { name: 'bench', onError })
  const options = {
    store: createIdempotency({ db, schema: SCHEMA, secret: Buffer.alloc(32, 1) }),
    service: 'bench',
    ttlMs: 1_860_000,
    leaseMs: 10_000,
    principal: () => 'guest',
    tenant: () => null,
  }
  const app = await buildApp({ service: 'bench', internal: true, maxEventLoopDelayMs: 60_000 })
  const before = idempotent(options, async ({ body }, claim) => {
    const { handoff, event } = mint(body)
    await db.transaction(async (tx) => {
      await tx.query(sql`insert into handoffs values (${handoff.id}::uuid,
        ${JSON.stringify(body)}::jsonb, ${handoff.expiresAt}::timestamptz)`)
      await appendEvents(tx, [event])
      await claim.completeIn(tx, { status: 201, body: handoff })
    })
    return undefined
  })
  const now = idempotentWrite(options, ({ body }) => {
    const { handoff, event } = mint(body)
    return {
      effect: sql`insert into handoffs select ${handoff.id}::uuid,
        ${JSON.stringify(body)}::jsonb, ${handoff.expiresAt}::timestamptz from claimed returning 1`,
      events: [event],
      response: { status: 201, body: handoff },
    }
  })
  const config = { operation: 'bench.handoff.mint' }
  if (form === 'one-statement') app.post('/handoff', { config }, now)
  else {
    const preHandler = async () => void (await redis.get('a key that is fresh'))
    app.post('/handoff', { config, preHandler }, before)
  }
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

function mint(body: unknown) {
  const handoff = signHandoff(body)
  return { handoff, event: buildEvent(newId('tnt'), newId('wsh')) }
}

serveCommands({ start })
