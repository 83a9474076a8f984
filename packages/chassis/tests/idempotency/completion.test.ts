import { sql } from '@melmastoon/chassis/db'
import { type Claim, claim, fingerprint } from '@melmastoon/chassis/idempotency'
import { idToUuid, newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from './_client.ts'
import { createFixture, type Fixture, ISOLATED } from './_database.ts'

let fixture: Fixture
const tenantId = newId('tnt')
const NO_LEASE_MS = 1
const body = { text: 'kept' }

beforeAll(async () => {
  fixture = await createFixture(ISOLATED)
})
afterAll(() => fixture[Symbol.asyncDispose]())

function take(key: string, leaseMs = 10_000) {
  const scope = { service: 'test', tenantId, principal: 'guest', operation: 'test.keep', key }
  const request = { scope, requestHash: fingerprint(body), ttlMs: 60_000, leaseMs }
  return claim(fixture.store, request)
}

async function held(key: string, leaseMs?: number): Promise<Claim> {
  const outcome = await take(key, leaseMs)
  if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
  return outcome.claim
}

/** A statement of the caller, of which the completion is one part. */
async function writeWith(own: Claim, isSaved: boolean): Promise<void> {
  const saved = sql`insert into note (tenant_id, mark, body)
    select ${idToUuid(tenantId)}::uuid, 'mark', 'kept' where ${isSaved}::boolean returning 1`
  const pending = own.completion({ status: 200, body }, sql`exists (select from saved)`)
  const statement = sql`with saved as (${saved}), completed as (${pending.effect}) select 1`
  await fixture.app.tenantQuery(tenantId, statement)
  if (isSaved) pending.committed()
}

describe('a completion in a statement of the caller', () => {
  it('stores the response with it', async () => {
    const key = newKey()
    const own = await held(key)
    await writeWith(own, true)
    expect(own.response?.status).toBe(200)
    expect(await take(key)).toMatchObject({ kind: 'replay', response: { status: 200 } })
  })

  it('stores nothing when the statement changed nothing', async () => {
    const key = newKey()
    const own = await held(key)
    await writeWith(own, false)
    expect(own.response).toBeNull()
    expect((await take(key)).kind).toBe('in_flight')
  })

  it('stores nothing for an attempt that lost its claim', async () => {
    const key = newKey()
    const first = await held(key, NO_LEASE_MS)
    await fixture.app.query(sql`select pg_sleep(0.01)`)
    const second = await held(key)
    await writeWith(first, true)
    expect((await take(key)).kind).toBe('in_flight')
    await writeWith(second, true)
    expect((await take(key)).kind).toBe('replay')
  })
})
