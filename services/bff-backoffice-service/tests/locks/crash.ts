import { setTimeout } from 'node:timers/promises'
import { idToUuid, newId } from '@melmastoon/domain'
import { eventually, spawnService } from '@melmastoon/testkit'
import { createStaffDevice } from '@melmastoon/testkit/staff-device'
import type { StaffStay } from '@melmastoon/upstream-contracts/reservation'
import { expect } from 'vitest'
import { PUBLIC_URL } from '../harness/backoffice-environment.ts'
import { BASE } from '../harness/test-device.ts'
import { act, type Locks, stepUp } from './lock-fixture.ts'

/** Around each write of an action, in their order. */
export const CRASH_POINTS = [
  'locks.before_record',
  'locks.after_record',
  'locks.after_call',
  'locks.after_settle',
] as const

const ENTRIES = {
  'record-first': new URL('../../src/main.ts', import.meta.url),
  'call-first': new URL('./call-first-main.ts', import.meta.url),
}

export interface Crash {
  readonly point: string
  readonly action: 'issue' | 'revoke'
  readonly order?: keyof typeof ENTRIES
}

/** A process receives the request and dies at the point; nobody has repeated the request yet. */
export async function crashAt(locks: Locks, { point, action, order = 'record-first' }: Crash) {
  const env = { ...locks.env, MELMASTOON_CRASH_AT: point }
  await using victim = await spawnService(ENTRIES[order], env)
  const { device, moveTo } = await movableDevice(locks)
  const stay = await locks.nextStay()
  const body = action === 'issue' ? {} : await revocationOf(locks, device, stay)
  const key = newId('req')
  moveTo(victim.url)
  const route = `${action}-key` as const
  await repeatUntil(victim.exited, () => act(device, stay, { change: route, json: body, key }))
  expect({ point, ...(await victim.exited) }).toMatchObject({ point, signal: 'SIGKILL' })
  moveTo(locks.service.url)
  return { stay, repeat: () => act(device, stay, { change: route, json: body, key }) }
}

const ATTEMPTS_MAX = 20
const PAUSE_MS = 250

/** A process that has just started may exceed a time limit before it reaches the point. */
async function repeatUntil(ended: Promise<unknown>, work: () => Promise<unknown>): Promise<void> {
  let isOver = false
  const over = ended.then(() => {
    isOver = true
  })
  for (let attempt = 1; attempt <= ATTEMPTS_MAX && !isOver; attempt += 1) {
    await work().catch(() => null)
    await Promise.race([over, setTimeout(PAUSE_MS)])
  }
}

async function revocationOf(
  locks: Locks,
  device: Awaited<ReturnType<typeof movableDevice>>['device'],
  stay: StaffStay,
) {
  const { keyId } = (await act(locks.desk, stay, { change: 'issue-key' })).body
  return { keyId, reason: 'lost', attestationId: await stepUp(device, stay) }
}

/** The same device, at one instance and then at another. */
async function movableDevice(locks: Locks) {
  const options = {
    iamUrl: locks.sandbox.url,
    baseUrl: `${locks.service.url}${BASE}`,
    externalUrl: PUBLIC_URL,
  }
  const device = await createStaffDevice(options)
  await device.signIn()
  const moveTo = (url: string) => {
    options.baseUrl = `${url}${BASE}`
  }
  return { device, moveTo }
}

/** Commands that the lock service has received, without a row in the audit (S1). */
export async function unrecorded(locks: Locks, { reservationId }: StaffStay): Promise<string[]> {
  const { environment } = locks.sandbox
  const { schema } = environment
  const sent = await environment.query<{ readonly request_id: string }>(
    `select r.request_id from ${schema}.lock_request r
     join ${schema}.lock_credential k on k.tenant_id = r.tenant_id and k.key_id = r.key_id
     where k.reservation_id = $1`,
    [idToUuid(reservationId)],
  )
  const rows = await locks.query<{ readonly id: string }>(
    `select upstream_request_id as id from ${locks.schema}.lock_action_proxy_audit
     where reservation_id = $1`,
    [reservationId],
  )
  const recorded = new Set(rows.map(({ id }) => id))
  return sent.map(({ request_id }) => request_id).filter((id) => !recorded.has(id))
}

/** The request is repeated at another instance, once the claims of the dead one are over. */
export async function expectOneEffect(
  locks: Locks,
  { stay, repeat }: Awaited<ReturnType<typeof crashAt>>,
  action: Crash['action'],
): Promise<void> {
  await locks.query(`update ${locks.schema}.idempotency set lease_until = '-infinity'`)
  await locks.query(
    `update ${locks.schema}.lock_action set lease_until = '-infinity' where reservation_id = $1`,
    [stay.reservationId],
  )
  const repeated = await eventually(
    async () => {
      const sent = await repeat()
      expect([sent.status, sent.body.code]).toEqual([201, undefined])
      return sent
    },
    { timeoutMs: 20_000, intervalMs: 200 },
  )
  const keys = await locks.keysOf(stay)
  expect(keys.map(({ state }) => state)).toEqual([action === 'issue' ? 'active' : 'revoked'])
  expect(await unrecorded(locks, stay)).toEqual([])
  expect((await locks.audit(repeated.body.actionId)).outcome).toBe('success')
  const rows = await locks.query(
    `select 1 from ${locks.schema}.lock_action_proxy_audit
     where reservation_id = $1 and action = $2`,
    [stay.reservationId, action],
  )
  expect(rows).toHaveLength(1)
}
