import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { housekeepingContract } from '@melmastoon/upstream-contracts/housekeeping'
import {
  SYNC_TOKEN_MAX_SECONDS,
  SyncPull,
  type SyncSession,
  signSyncToken,
  syncContract,
} from '@melmastoon/upstream-contracts/sync'
import type { Static } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Inbox, newActor, serveInbox } from '../inbox/serve-inbox.ts'
import { rejectionOf, send } from '../start-sandbox.ts'

const signing = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')
const SYNC_TOKEN_PUBLIC_KEYS = JSON.stringify({
  keys: [{ ...signing.publicKey.export({ format: 'jwk' }), kid: 'k1' }],
})

let inbox: Inbox

beforeAll(async () => {
  inbox = await serveInbox({ SYNC_TOKEN_PUBLIC_KEYS, SUGGESTION_SECONDS: '0' })
})
afterAll(() => inbox[Symbol.asyncDispose]())

const own = () => ({ tenantId: inbox.hotel.tenantId, idempotencyKey: newId('req') })

describe('sync cursors', () => {
  const sync = (scenario?: string) => inbox.client(syncContract, scenario)

  it('are created and advanced by one of several concurrent requests', async () => {
    const actor = newActor()
    const params = { deviceId: actor.deviceId }
    const unknown = sync().getCursor({ params }, own())
    expect(await rejectionOf(unknown)).toBe('MELMASTOON.SYNC.CURSOR_NOT_FOUND')
    const advance = (body: { expectedVersion: number; pullCursor?: string; pushAck?: string }) =>
      sync().advanceCursor({ params, body: { ...body, actor } }, own())
    for (const expectedVersion of [0, 1]) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 6 }, (_, index) =>
          advance({ expectedVersion, pullCursor: `e.${index}` }),
        ),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
    const { pullCursor } = await sync().getCursor({ params }, own())
    const pushed = await advance({ expectedVersion: 2, pushAck: 'p.1' })
    expect(pushed).toMatchObject({ version: 3, pullCursor, pushAck: 'p.1' })
    const stale = advance({ expectedVersion: 2, pushAck: 'p.2' })
    expect(await rejectionOf(stale)).toBe('MELMASTOON.SYNC.CURSOR_CONFLICT')
    const foreign = { tenantId: inbox.foreign.tenantId }
    const read = sync().getCursor({ params }, foreign)
    expect(await rejectionOf(read)).toBe('MELMASTOON.SYNC.CURSOR_NOT_FOUND')
  })

  it('conflict on demand, and are reset in the control room', async () => {
    const actor = newActor()
    const params = { deviceId: actor.deviceId }
    const body = { expectedVersion: 0, pullCursor: 'e.1', actor }
    const conflict = sync('cursor-conflict').advanceCursor({ params, body }, own())
    expect(await rejectionOf(conflict)).toBe('MELMASTOON.SYNC.CURSOR_CONFLICT')
    await sync().advanceCursor({ params, body }, own())
    const { tenantId } = inbox.hotel
    const path = `/admin/api/tenants/${tenantId}/devices/${actor.deviceId}/cursor/reset`
    expect((await send(inbox.url, 'POST', path, { json: {} })).status).toBe(200)
    await sync().advanceCursor({ params, body }, own())
  })
})

describe('a pull', () => {
  const session = (more: Partial<SyncSession> = {}): SyncSession => ({
    tenantId: inbox.hotel.tenantId,
    operatorId: newId('opr'),
    deviceId: newId('dev'),
    propertyIds: [inbox.hotel.propertyId],
    ...more,
  })

  function tokenFor(more: Partial<SyncSession> = {}, key: KeyObject = signing.privateKey) {
    const times = { now: new Date(), lifetimeSeconds: 300, tokenId: newId('req') }
    return signSyncToken({ key, kid: 'k1' }, session(more), times)
  }

  async function pull(token: string, json: object = {}) {
    const response = await send(inbox.url, 'POST', SyncPull.path, {
      headers: { authorization: `Bearer ${token}` },
      json: { propertyId: inbox.hotel.propertyId, ...json },
    })
    const { status } = response
    const body = response.body as Static<typeof SyncPull.response> & { code?: string }
    return { status, ...body }
  }

  async function createTask() {
    const [roomType] = inbox.hotel.roomTypes
    const [room] = roomType?.rooms ?? []
    if (room === undefined) throw new TypeError('the hotel has no rooms')
    const tasks = inbox.client(housekeepingContract)
    const params = { propertyId: inbox.hotel.propertyId }
    const body = { roomId: room.roomId, kind: 'deep_clean' as const, actor: newActor() }
    return await tasks.createTask({ params, body }, own())
  }

  it('returns the tasks that changed since the cursor', async () => {
    const token = await tokenFor()
    const first = await pull(token)
    expect(first).toMatchObject({ status: 200, full: true })
    const { taskId, version } = await createTask()
    const changed = await eventually(async () => {
      const next = await pull(token)
      const found = next.changes.find(({ resourceId }) => resourceId === taskId)
      expect(found).toMatchObject({ kind: 'task', status: 'pending', version })
      return next
    })
    const later = await pull(token, { cursor: changed.cursor })
    expect(later).toMatchObject({ changes: [], full: false, hasMore: false })
    const single = await pull(token, { limit: 1 })
    const rest = await pull(token, { cursor: single.cursor })
    expect([...single.changes, ...rest.changes]).toEqual(changed.changes)
    const unknown = await pull(token, { cursor: 'another-epoch.7' })
    expect(unknown).toMatchObject({ full: true, changes: changed.changes })
  })

  it('requires a token of the back office, for this property, that has not expired', async () => {
    expect(await pull(await tokenFor({}, stranger.privateKey))).toMatchObject({
      status: 401,
      code: 'MELMASTOON.SYNC.TOKEN_INVALID',
    })
    const longAgo = new Date(Date.now() - (SYNC_TOKEN_MAX_SECONDS + 60) * 1_000)
    const expired = await signSyncToken({ key: signing.privateKey, kid: 'k1' }, session(), {
      now: longAgo,
      lifetimeSeconds: SYNC_TOKEN_MAX_SECONDS,
      tokenId: newId('req'),
    })
    for (const token of [expired, 'a.b.c', '']) {
      expect((await pull(token)).status).toBe(401)
    }
    const elsewhere = await tokenFor({ propertyIds: [inbox.foreign.propertyId] })
    expect(await pull(elsewhere)).toMatchObject({
      status: 404,
      code: 'MELMASTOON.PROPERTY.NOT_FOUND',
    })
    // A token of another tenant that names this property sees nothing of it.
    const foreign = await tokenFor({ tenantId: inbox.foreign.tenantId })
    expect(await pull(foreign)).toMatchObject({ status: 200, changes: [] })
    expect((await pull(await tokenFor())).status).toBe(200)
  })
})
