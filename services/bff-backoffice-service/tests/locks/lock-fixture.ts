import { createDeadline, systemClock } from '@melmastoon/chassis/clock'
import {
  addDays,
  idToUuid,
  newId,
  type PropertyId,
  type RoomId,
  type TenantId,
  todayIn,
} from '@melmastoon/domain'
import { createStaffDevice, type StaffDevice } from '@melmastoon/testkit/staff-device'
import type { LockVendor } from '@melmastoon/upstream-contracts/lock'
import type { StaffStay } from '@melmastoon/upstream-contracts/reservation'
import type { BackofficeContext } from '../../src/context.ts'
import { PUBLIC_URL } from '../harness/backoffice-environment.ts'
import { type BackofficeOptions, startWithSandbox } from '../harness/start-backoffice.ts'
import { BASE } from '../harness/test-device.ts'

export interface ActionBody {
  readonly actionId: string
  readonly state: string
  readonly outcome: string
  readonly keyId: string | null
  readonly code?: string
  readonly errorCode?: string | null
  readonly secret?: { readonly pin: string }
  readonly validFrom?: string
  readonly validUntil?: string
  readonly roomIds?: readonly string[]
  readonly transitions?: readonly {
    readonly state: string
    readonly source: string
    readonly applied: boolean
    readonly sequence: number | null
  }[]
}

export interface Sent {
  readonly status: number
  readonly location: string | null
  readonly retryAfter: string | null
  /** A repeated request received the result of an earlier one. */
  readonly isReplayed: boolean
  readonly body: ActionBody
}

/** Looks soon, so that tests wait for moments only. */
const QUICK = { pollMs: 50, firstLookMs: 400, followUpMs: 300 }

/** The hotel of the demo tenant, its stays to come and devices of its staff. */
export async function startLocks(options: BackofficeOptions = {}) {
  const overrides = { ...options.overrides, locks: { ...QUICK, ...options.overrides?.locks } }
  const sandboxEnv = { LOCK_LATE_MS: '1500', ...options.sandboxEnv }
  const running = await startWithSandbox({ ...options, sandboxEnv, overrides })
  const { ctx } = running.service
  const desk = await signIn(running, 'desk')
  const { tenantId } = desk.tokens
  const propertyId = propertyOf(desk)
  const place = { tenantId, propertyId }
  const controls = running.sandbox.ctx.modules.lock.controls
  await controls.setVendor(place, 'generic-wiegand')
  const stays = await staysToCome(running, place)
  return {
    ...running,
    ctx,
    desk,
    place,
    controls,
    signIn: (username: string, url?: string) => signIn(running, username, url),
    setVendor: (vendor: LockVendor) => controls.setVendor(place, vendor),
    /** Each is returned once, with a room: tests do not share keys. */
    async nextStay(): Promise<StaffStay> {
      for (;;) {
        const stay = stays.shift()
        if (stay === undefined) throw new TypeError('no more stays')
        const assigned = stay.rooms.length > 0 ? stay : await assignRoom(ctx, tenantId, stay)
        if (assigned !== null) return assigned
      }
    },
    async cancel({ reservationId }: StaffStay) {
      using deadline = createDeadline(5_000)
      const input = { params: { reservationId }, body: { reasonCode: 'guest_request' } }
      const call = { deadline, tenantId, idempotencyKey: newId('req') }
      await ctx.upstreams.reservation.cancel(input, call)
    },
    assignRoom: (stay: StaffStay) => assignRoom(ctx, tenantId, stay),
    /** To the rooms that it had before. */
    moveBack: (stay: StaffStay) => {
      const rooms = stay.rooms.map(({ roomId }) => roomId)
      return moveTo(ctx, { tenantId, reservationId: stay.reservationId }, rooms)
    },
    /** All keys of a reservation, as the lock service knows them. */
    async keysOf({ reservationId }: StaffStay) {
      using deadline = createDeadline(5_000)
      const query = { reservationId, limit: 200 }
      const call = { deadline, tenantId }
      const listed = await ctx.upstreams.lock.listCredentials(
        { params: { propertyId }, query },
        call,
      )
      return listed.credentials
    },
    audit: (actionId: string) => readAudit(running, actionId),
    query: <R>(text: string, values?: readonly unknown[]) =>
      running.environment.query<R>(text, values),
    schema: running.environment.schema,
  }
}

export type LockScenario = Parameters<Locks['controls']['setScenario']>[1]['scenario']
export type Locks = Awaited<ReturnType<typeof startLocks>>
type Running = Awaited<ReturnType<typeof startWithSandbox>>

async function signIn(
  { sandbox, service }: Running,
  username: string,
  url = service.url,
): Promise<StaffDevice> {
  const device = await createStaffDevice({
    iamUrl: sandbox.url,
    baseUrl: `${url}${BASE}`,
    externalUrl: PUBLIC_URL,
    username,
  })
  await device.signIn()
  return device
}

function propertyOf({ tokens }: StaffDevice): PropertyId {
  const [, claims = ''] = tokens.accessToken.split('.')
  const { props } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { props: string[] }
  return props[0] as PropertyId
}

async function staysToCome({ service }: Running, place: Locks['place']): Promise<StaffStay[]> {
  const { tenantId, propertyId } = place
  const today = todayIn('UTC', systemClock.now())
  const stays: StaffStay[] = []
  for (let day = 2; day < 20; day += 1) {
    using deadline = createDeadline(5_000)
    const query = { view: 'arrivals', date: addDays(today, day) } as const
    const input = { params: { propertyId }, query }
    const call = { deadline, tenantId }
    const found = await service.ctx.upstreams.reservation.listForDay(input, call)
    stays.push(...found.stays.filter(({ nights, status }) => nights < 4 && status === 'confirmed'))
  }
  return stays.filter(({ items }) => items.length === 1 && items[0]?.rooms === 1)
}

/** Another room than it has; null when none is available. */
async function assignRoom(
  ctx: BackofficeContext,
  tenantId: TenantId,
  { reservationId, rooms }: StaffStay,
): Promise<StaffStay | null> {
  using deadline = createDeadline(5_000)
  const call = { deadline, tenantId }
  const params = { reservationId }
  const available = await ctx.upstreams.reservation.availableRooms({ params }, call)
  const other = available.rooms.find(({ roomId }) => !rooms.some((room) => room.roomId === roomId))
  if (other === undefined) return null
  return await moveTo(ctx, { tenantId, reservationId }, [other.roomId])
}

async function moveTo(
  { upstreams: { reservation } }: BackofficeContext,
  { tenantId, reservationId }: Pick<StaffStay, 'reservationId'> & { readonly tenantId: TenantId },
  roomIds: RoomId[],
): Promise<StaffStay> {
  using deadline = createDeadline(5_000)
  const actor = { operatorId: newId('opr'), deviceId: newId('dev') }
  return await reservation.assignRooms(
    { params: { reservationId }, body: { roomIds, actor } },
    { deadline, tenantId, idempotencyKey: newId('req') },
  )
}

export interface AuditRow {
  readonly outcome: string
  readonly error_code: string | null
  readonly upstream_latency_ms: number
  readonly operator_id: string
  readonly mfa_attestation_id: string | null
}

async function readAudit({ environment }: Running, actionId: string): Promise<AuditRow> {
  const [row] = await environment.query<AuditRow>(
    `select * from ${environment.schema}.lock_action_proxy_audit where upstream_request_id = $1`,
    [actionId],
  )
  if (row === undefined) throw new TypeError('no audit')
  return row
}

export async function post(
  device: StaffDevice,
  path: string,
  json: object,
  idempotencyKey: string = newId('req'),
): Promise<Sent> {
  const response = await device.fetch(path, { method: 'POST', json, idempotencyKey })
  const location = response.headers.get('location')
  const retryAfter = response.headers.get('retry-after')
  const isReplayed = response.headers.get('idempotent-replayed') === 'true'
  const body = (await response.json()) as ActionBody
  return { status: response.status, location, retryAfter, isReplayed, body }
}

interface KeyChange {
  readonly change: 'issue-key' | 'revoke-key' | 'rebind-key' | 'extend-key'
  readonly json?: object
  readonly key?: string | undefined
}

export const act = (
  device: StaffDevice,
  { reservationId }: StaffStay,
  { change, json = {}, key }: KeyChange,
): Promise<Sent> => post(device, `/locks/${reservationId}/${change}`, json, key)

export async function readAction(device: StaffDevice, actionId: string): Promise<ActionBody> {
  const response = await device.fetch(`/locks/actions/${actionId}`)
  if (response.status !== 200) throw new Error(`action: ${response.status}`)
  return (await response.json()) as ActionBody
}

/** Confirms the revocation of a key with a signature. */
export async function stepUp(device: StaffDevice, { reservationId }: StaffStay): Promise<string> {
  const purpose = {
    action: 'lock.revoke',
    resourceKind: 'reservation',
    resourceId: reservationId,
  }
  const response: unknown = (await post(device, '/auth/mfa/challenges', purpose)).body
  const created = response as { readonly challengeId: string; readonly challenge: string }
  const assertion = device.signChallenge(created.challenge)
  const factor = { factor: 'signed_challenge', challengeId: created.challengeId, assertion }
  const sent = await post(device, '/auth/mfa/step-up', { ...purpose, ...factor })
  const attestation: unknown = sent.body
  return (attestation as { readonly attestationId: string }).attestationId
}

export async function revoke(
  device: StaffDevice,
  stay: StaffStay,
  target: { readonly keyId?: string | null; readonly issueActionId?: string },
): Promise<Sent> {
  const attestationId = await stepUp(device, stay)
  return await act(device, stay, {
    change: 'revoke-key',
    json: { ...target, reason: 'lost', attestationId },
  })
}

export const uuidOf = (actionId: string): string => idToUuid(actionId as never)
