import { sql } from '@melmastoon/chassis/db'
import {
  type Claim,
  claim,
  createIdempotency,
  createReplayShortcut,
  fingerprint,
  type IdempotencyOptions,
  type IdempotencyStore,
  writeOnce,
} from '@melmastoon/chassis/idempotency'
import { createKeySpace, createRedis, type Redis, waitUntilReady } from '@melmastoon/chassis/redis'
import { KeyRing } from '@melmastoon/security'
import { eventually, testRedis } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newKey } from './_client.ts'
import { createFixture, type Fixture, OPEN, TEST_SECRET } from './_database.ts'

const CANARY = 'canary-guest@example.com'
const RESPONSE = { status: 201, body: { email: CANARY } }
const KEYS = createKeySpace('test-service')

let fixture: Fixture
let redis: Redis
beforeAll(async () => {
  redis = createRedis((await testRedis()).cacheUrl, { name: 'records', onError: () => undefined })
  await waitUntilReady(redis, 5_000)
  fixture = await createFixture(OPEN)
})
afterAll(async () => {
  redis.disconnect()
  await fixture[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await redis.flushdb()
  await fixture.admin.query(sql`delete from idem_open.idempotency`)
})

function storeWith(options: Partial<IdempotencyOptions> = {}): IdempotencyStore {
  return createIdempotency({ db: fixture.app, schema: OPEN, secret: TEST_SECRET, ...options })
}

function requestOf(key: string, body: unknown = { email: CANARY }) {
  const caller = { service: 'guest-book', tenantId: null, principal: 'guest', key }
  const scope = { ...caller, operation: 'guest.place' }
  return { scope, requestHash: fingerprint({ body }), ttlMs: 600_000, leaseMs: 60_000 }
}

async function claimed(store: IdempotencyStore, key: string): Promise<Claim> {
  const outcome = await claim(store, requestOf(key))
  if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
  return outcome.claim
}

const write = (store: IdempotencyStore, key: string) =>
  writeOnce(store, requestOf(key), { response: RESPONSE })

/** Every table of the schema with its content. */
async function everythingInPostgres(): Promise<string> {
  const dump = sql<{ xml: string }>`select schema_to_xml('idem_open', true, false, '')::text as xml`
  const [row] = await fixture.admin.query(dump)
  return row?.xml ?? ''
}

async function everythingInRedis(): Promise<string> {
  const keys = await redis.keys('*')
  const values = await Promise.all(keys.map((key) => redis.get(key)))
  return JSON.stringify([keys, values])
}

async function makeLegacy(): Promise<void> {
  const payload = { headers: {}, body: JSON.stringify(RESPONSE.body), encoding: 'utf8' }
  const { value } = requestOf('').requestHash
  await fixture.admin.query(sql`update idem_open.idempotency set hash_version = 1,
    request_hash = ${value},
    recovery_data = case state when 'completed' then '{}' else '{"hold":"rsv_1"}'::jsonb end,
    response = case state when 'completed' then ${JSON.stringify(payload)}::jsonb end`)
}

function ring(...entries: readonly (readonly [id: string, state: string])[]): KeyRing {
  const secretOf = (id: string) => Buffer.alloc(32, id).toString('base64url')
  return KeyRing.parse(entries.map(([id, state]) => `${id}:${state}:${secretOf(id)}`).join(','))
}

describe('a stored record', () => {
  it('SEC-L01 contains no data of request, response or recovery in clear text', async () => {
    const shortcut = createReplayShortcut({ redis, keys: KEYS, onError: () => undefined })
    const store = storeWith({ shortcut })
    const key = newKey()
    await write(store, key)
    const unfinished = await claimed(store, newKey())
    await unfinished.checkpoint('held', { email: CANARY })
    for (const _attempt of [1, 2]) {
      expect(await write(store, key)).toMatchObject({
        kind: 'replay',
        response: { body: JSON.stringify(RESPONSE.body) },
      })
    }
    await eventually(async () => expect(await redis.dbsize()).toBe(1))
    const stored = [await everythingInPostgres(), await everythingInRedis()]
    for (const text of stored) {
      expect(text).toContain('guest.place')
      expect(text).not.toContain('canary')
      expect(text).not.toContain(Buffer.from(CANARY).toString('base64').slice(0, 12))
      expect(text).not.toContain(Buffer.from(CANARY).toString('hex').slice(0, 12))
    }
    // The search finds the value where it is.
    await makeLegacy()
    expect(await everythingInPostgres()).toContain(CANARY)
  })

  it('has a request hash that cannot be compared with a guessed request', async () => {
    const store = storeWith()
    await write(store, newKey())
    await write(store, newKey())
    const hashes = await fixture.admin.query(
      sql<{ request_hash: string }>`select request_hash from idem_open.idempotency`,
    )
    const values = hashes.map(({ request_hash }) => request_hash)
    expect(new Set(values).size).toBe(2)
    expect(values).not.toContain(requestOf('').requestHash.value)
    const other = storeWith({ secret: Buffer.alloc(32, 'other') })
    const key = newKey()
    await write(store, key)
    expect((await write(other, key)).kind).toBe('reused')
  })

  it('of an earlier release is replayed and resumed, and not copied to Redis', async () => {
    const shortcut = createReplayShortcut({ redis, keys: KEYS, onError: () => undefined })
    const store = storeWith({ shortcut })
    const [done, open] = [newKey(), newKey()]
    await write(store, done)
    await (await claimed(store, open)).abandon()
    await makeLegacy()
    for (const _attempt of [1, 2, 3]) {
      expect(await write(store, done)).toMatchObject({ kind: 'replay' })
    }
    expect(await redis.dbsize()).toBe(0)
    const other = await claim(store, requestOf(done, { email: 'other' }))
    expect(other.kind).toBe('reused')
    const resumed = await claimed(store, open)
    expect(resumed.recoveryData).toEqual({ hold: 'rsv_1' })
    expect(await resumed.complete({ response: RESPONSE })).toBe(true)
    expect(await write(store, open)).toMatchObject({ kind: 'replay' })
  })

  it('stays readable while its key is in grace, and is never executed again without it', async () => {
    const [derived, first, second] = [newKey(), newKey(), newKey()]
    await write(storeWith(), derived)
    await write(storeWith({ keys: ring(['k1', 'active']) }), first)
    const rotated = storeWith({ keys: ring(['k2', 'active'], ['k1', 'grace']) })
    await write(rotated, second)
    for (const key of [derived, first, second]) {
      expect((await write(rotated, key)).kind, key).toBe('replay')
    }
    const retired = storeWith({ keys: ring(['k2', 'active'], ['k1', 'retired']) })
    expect((await write(retired, second)).kind).toBe('replay')
    await expect(write(retired, first)).rejects.toThrow('unknown key')
  })

  it('resumes with its recovery data after a rotation', async () => {
    const key = newKey()
    const before = await claimed(storeWith({ keys: ring(['k1', 'active']) }), key)
    await before.checkpoint('held', { hold: 'rsv_1' })
    await before.abandon()
    const rotated = storeWith({ keys: ring(['k2', 'active'], ['k1', 'grace']) })
    const after = await claimed(rotated, key)
    expect([after.recoveryPoint, after.recoveryData]).toEqual(['held', { hold: 'rsv_1' }])
  })

  it('cannot be moved to another scope or changed', async () => {
    const store = storeWith()
    const [mine, theirs] = [newKey(), newKey()]
    await write(store, mine)
    await writeOnce(store, requestOf(theirs), { response: { status: 201, body: 'theirs' } })
    await fixture.admin.query(sql`update idem_open.idempotency set response =
      (select response from idem_open.idempotency order by created_at limit 1)`)
    expect((await write(store, mine)).kind).toBe('replay')
    await expect(write(store, theirs)).rejects.toThrow('unable to authenticate')
    await fixture.admin.query(sql`update idem_open.idempotency set response =
      jsonb_build_object('sealed', left(response->>'sealed', -2) || 'AA')`)
    await expect(write(store, mine)).rejects.toThrow('unable to authenticate')
  })
})
