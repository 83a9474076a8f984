import { createDeadline } from '@melmastoon/chassis/clock'
import { forEachConcurrently } from '@melmastoon/chassis/concurrency'
import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import {
  type IsoDateTime,
  idToUuid,
  newId,
  type PropertyId,
  type ReservationId,
  type RoomId,
  type RoomKeyId,
  type TenantId,
} from '@melmastoon/domain'
import type { EventMessage } from '@melmastoon/events'
import { lockCredentialFailed, lockCredentialIssued } from '@melmastoon/platform-events'
import { startService, type TestEnvironment } from '@melmastoon/testkit'
import type { BackofficeContext } from '../../../src/context.ts'
import type { LockActionId, LockCommand } from '../../../src/locks/lock-action.ts'
import { selectAction } from '../../../src/locks/lock-action-sql.ts'
import type { LockCall, LockControls } from '../../../src/locks/lock-deps.ts'
import { lockHandlers } from '../../../src/locks/lock-handlers.ts'
import { reconcileDue } from '../../../src/locks/reconciler.ts'
import { runAction } from '../../../src/locks/run-action.ts'
import { service } from '../../../src/service.ts'
import { backofficeEnvironment } from '../../harness/backoffice-environment.ts'
import { FaultyLock, type Report, SimulatedCrash } from './faulty-lock.ts'

/** A reservation with one room, and the requests of its operators so far. */
interface Guest {
  readonly reservationId: ReservationId
  readonly roomId: RoomId
  readonly requests: {
    readonly key: string
    readonly command: LockCommand
    readonly keyId: RoomKeyId | null
  }[]
}

export interface SimulationOptions {
  readonly seed: number
  readonly controls?: LockControls
}

/** The service with a faulty lock service; the test decides when it reconciles. */
export async function startSimulation({ seed, controls = {} }: SimulationOptions) {
  const environment = await backofficeEnvironment()
  const random = randomOf(seed)
  const tenantId = newId('tnt')
  const unrecorded: string[] = []
  const opened: { db?: BackofficeContext['db'] } = {}
  const lock = new FaultyLock({
    random,
    async onCommand(requestId) {
      const rows = await opened.db?.tenantQuery(tenantId, selectAction(requestId as LockActionId))
      const [row] = rows ?? []
      if (row === undefined) unrecorded.push(`${requestId}: the command came before its row`)
      else if (row.settled_at !== null) {
        unrecorded.push(`${requestId}: the command came after its action was settled`)
      }
    },
  })
  const definition: typeof service = {
    ...service,
    startWorkers: async () => [],
    createContext(base, overrides) {
      const ctx = service.createContext(base, overrides)
      const notification = { ...ctx.upstreams.notification, raise: async () => undefined as never }
      return { ...ctx, upstreams: { ...ctx.upstreams, lock: lock.client, notification } }
    },
  }
  const locks = { firstLookMs: 1, ...controls }
  const running = await startService(definition, environment.env, { locks })
  opened.db = running.ctx.db
  return new Simulation({
    environment,
    ctx: running.ctx,
    lock,
    random,
    tenantId,
    unrecorded,
    stop: async () => await running[Symbol.asyncDispose](),
  })
}

interface Parts {
  readonly environment: TestEnvironment
  readonly ctx: BackofficeContext
  readonly lock: FaultyLock
  readonly random: () => number
  readonly tenantId: TenantId
  /** Commands that arrived before their row, or after it was settled, in words. */
  readonly unrecorded: string[]
  readonly stop: () => Promise<void>
}

const CONCURRENT = 8

interface RunSize {
  readonly guests: number
  readonly steps: number
}

export class Simulation implements AsyncDisposable {
  readonly parts: Parts
  readonly #propertyId: PropertyId = newId('ppt')
  readonly #handlers: ReturnType<typeof lockHandlers>

  constructor(parts: Parts) {
    this.parts = parts
    this.#handlers = lockHandlers(parts.ctx)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.parts.stop()
    await this.parts.environment[Symbol.asyncDispose]()
  }

  /**
   * Random requests, repetitions, events and looks of the reconciler; then everything settles.
   * @returns the reservations, to check their audit.
   */
  async run({ guests, steps }: RunSize): Promise<ReservationId[]> {
    const all = Array.from(
      { length: guests },
      (): Guest => ({
        reservationId: newId('rsv'),
        roomId: newId('rmu'),
        requests: [],
      }),
    )
    this.parts.lock.isFaulty = true
    const turns = Array.from({ length: steps }, () => all).flat()
    await forEachConcurrently(turns, CONCURRENT, (guest) => this.#step(guest))
    await this.#quiesce()
    return all.map(({ reservationId }) => reservationId)
  }

  async #step(guest: Guest): Promise<void> {
    const chance = this.parts.random()
    if (chance < 0.12) return await this.#deliver()
    if (chance < 0.22) return void (await reconcileDue(this.parts.ctx, AbortSignal.timeout(60_000)))
    const last = guest.requests.at(-1)
    const request = chance < 0.35 && last !== undefined ? last : this.#newRequest(guest)
    await this.#send(guest, request)
  }

  #newRequest(guest: Guest): Guest['requests'][number] {
    const key = this.parts.lock.keysOf(guest.reservationId).find(({ state }) => state === 'active')
    const choice = this.parts.random()
    const rooms = [guest.roomId]
    const until = (hours: number) =>
      new Date(Date.UTC(2030, 0, 2, Math.floor(hours))).toISOString() as IsoDateTime
    const command: LockCommand =
      key === undefined || choice < 0.3
        ? {
            action: 'issue',
            rooms,
            kind: 'pin_code',
            isAdditional: false,
            validFrom: '2030-01-01T00:00:00.000Z' as IsoDateTime,
            validUntil: until(0),
          }
        : choice < 0.6
          ? { action: 'revoke', rooms, reason: 'lost' }
          : choice < 0.8
            ? { action: 'extend', rooms, validUntil: until(1 + choice * 20) }
            : { action: 'rebind', rooms, priorRooms: rooms }
    const keyId = command.action === 'issue' ? null : (key?.keyId ?? null)
    const request = { key: newId('req'), command, keyId }
    guest.requests.push(request)
    return request
  }

  async #send(
    { reservationId }: Guest,
    { key, command, keyId }: Guest['requests'][number],
  ): Promise<void> {
    const { ctx, tenantId } = this.parts
    const planned = {
      tenantId,
      propertyId: this.#propertyId,
      reservationId,
      command,
      keyId,
      actor: { operatorId: newId('opr'), deviceId: newId('dev') },
      vendor: 'ttlock',
      maxDelaySeconds: 120,
      requestKey: key,
    } as const
    const run = (call: LockCall) => runAction(ctx, { ...planned, plan: async () => planned }, call)
    await this.#call(run).catch(async (error: unknown) => {
      expected(error)
      if (error instanceof SimulatedCrash) await this.#endLease(key)
    })
  }

  /** As if the process had crashed some time ago. */
  async #endLease(requestKey: string): Promise<void> {
    const { environment } = this.parts
    await environment.query(
      `update ${environment.schema}.lock_action set lease_until = '-infinity'
       where request_key = $1 and settled_at is null`,
      [requestKey],
    )
  }

  async #call<T>(work: (call: LockCall) => Promise<T>): Promise<T> {
    using deadline = createDeadline(30_000)
    const trace = newTrace()
    const cause = {
      producerInstance: 'simulation',
      tenantId: this.parts.tenantId,
      requestId: newId('req'),
      traceparent: renderTraceparent(trace),
      occurredAt: new Date(),
    }
    return await work({ deadline, trace, cause })
  }

  /** Any event that is due, not the oldest: the bus does not keep their order. */
  async #deliver(): Promise<void> {
    const { lock, random } = this.parts
    const [report] = lock.reports.splice(Math.floor(random() * lock.reports.length), 1)
    if (report !== undefined) await this.#publish(report)
  }

  async #publish(report: Report): Promise<void> {
    report.effect()
    const { ctx, tenantId } = this.parts
    const { subject } = report.result === 'done' ? lockCredentialIssued : lockCredentialFailed
    const event: unknown = {
      envelope: {
        subject,
        tenantId,
        eventId: newId('evt'),
        requestId: newId('req'),
        traceId: renderTraceparent(newTrace()),
      },
      payload: {
        ...report,
        failureReason: report.result === 'done' ? null : 'vendor_refused',
        occurredAt: new Date().toISOString(),
      },
    }
    const handler = this.#handlers.find(({ definitions }) =>
      definitions.some((d) => d.subject === subject),
    )
    await ctx.db.withTenant(
      tenantId,
      async (tx) => await handler?.handle?.(tx, event as EventMessage),
    )
  }

  /** All events arrive, and the maximum delay of the vendor is over. */
  async #quiesce(): Promise<void> {
    const { lock, environment, ctx } = this.parts
    lock.isFaulty = false
    while (lock.reports.length > 0) await this.#deliver()
    for (let round = 0; round < 30; round += 1) {
      const [left] = await environment.query<{ readonly rows: number }>(
        `with aged as (update ${environment.schema}.lock_action
           set next_at = now(), lease_until = '-infinity', sent_at = sent_at - interval '1 hour'
           where next_at is not null returning 1)
         select count(*)::int as rows from aged`,
      )
      if (left?.rows === 0) return
      await reconcileDue(ctx, AbortSignal.timeout(60_000))
      while (lock.reports.length > 0) await this.#deliver()
    }
    throw new Error('actions stay open')
  }
}

/** Rejections, timeouts and crashes are what this is about; anything else is a defect. */
function expected(error: unknown): void {
  if (error instanceof SimulatedCrash) return
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : ''
  if (!EXPECTED.has(String(code))) throw error
}

const EXPECTED: ReadonlySet<string> = new Set([
  'MELMASTOON.BFF.BACKOFFICE.LOCK_ACTION_OPEN',
  'MELMASTOON.BFF.BACKOFFICE.LOCK_ACTION_NOT_EXECUTED',
  'MELMASTOON.BFF.BACKOFFICE.KEY_EXISTS',
  'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE',
  'MELMASTOON.LOCK.VENDOR_REFUSED',
  'MELMASTOON.LOCK.GATEWAY_BUSY',
  'MELMASTOON.LOCK.ILLEGAL_TRANSITION',
  'MELMASTOON.LOCK.CREDENTIAL_NOT_FOUND',
  // Two steps of one guest at once: a second attempt of the same request.
  'MELMASTOON.GENERAL.CONFLICT',
])

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * What is wrong with the audit, in words; empty when it is complete.
 * @param reservations all by default.
 */
export async function checkAudit(
  { parts }: Simulation,
  reservations: readonly ReservationId[] | null = null,
): Promise<string[]> {
  const { environment, lock, tenantId } = parts
  const { schema } = environment
  const rows = await environment.query<AuditedRow>(
    `select p.upstream_request_id as id, p.outcome, p.action, p.reservation_id as reservation,
      p.upstream_latency_ms as latency, a.state, a.key_id as key, a.settled_at is null as open,
      (select count(*)::int from ${schema}.lock_action_transition t
        where t.tenant_id = p.tenant_id and t.action_id = p.id
          and t.is_applied and t.state in ('succeeded', 'failed')) as ends,
      (select count(*)::int from ${schema}.lock_action_transition t
        where t.tenant_id = p.tenant_id and t.action_id = p.id and t.source = 'request') as starts,
      (select count(*)::int from ${schema}.lock_action_room r
        where r.tenant_id = p.tenant_id and r.action_id = p.id and r.is_open) as rooms,
      exists (select from ${schema}.lock_alert l where l.tenant_id = p.tenant_id
        and l.action_id = p.id and l.kind = 'contradiction') as contradicted
    from ${schema}.lock_action_proxy_audit p
    join ${schema}.lock_action a on a.tenant_id = p.tenant_id and a.action_id = p.id
    where p.tenant_id = $1 and ($2::text[] is null or p.reservation_id = any ($2::text[]))
    order by p.id`,
    [idToUuid(tenantId), reservations],
  )
  const known = new Set(rows.map(({ id }) => id))
  const missing = lock.requestsOf(reservations).filter((id) => !known.has(id))
  return [
    ...missing.map((id) => `${id}: a command without an audit`),
    ...parts.unrecorded,
    ...rows.flatMap((row) => mistakesIn(row, lock)),
    ...doubleKeys(lock).map((id) => `${id}: two keys\n${historyOf(id, rows, lock)}`),
  ]
}

/** The keys and actions of a reservation, for the message of a failure. */
function historyOf(id: string, rows: readonly AuditedRow[], lock: FaultyLock): string {
  const ofStay = lock.keysOf(id as ReservationId)
  const actions = rows.filter(({ reservation }) => reservation === id)
  return [
    ...ofStay.map(({ keyId, state, requestId }) => `${keyId} ${state} of ${requestId}`),
    ...actions.map((row) => {
      const request = lock.requests.get(row.id)?.request.state ?? 'not received'
      return `${row.id} ${row.action} ${row.outcome} ${row.key} ${request}`
    }),
  ].join('\n')
}

interface AuditedRow {
  readonly id: string
  readonly outcome: string
  readonly action: string
  readonly reservation: ReservationId
  readonly latency: number
  readonly state: string
  readonly key: RoomKeyId | null
  readonly open: boolean
  readonly ends: number
  readonly starts: number
  readonly rooms: number
  readonly contradicted: boolean
}

function mistakesIn(row: AuditedRow, lock: FaultyLock): string[] {
  const { id, outcome, action, ends, starts, rooms, open } = row
  const name = `${id} ${action} ${outcome}`
  const mistakes: string[] = []
  if (open || (outcome !== 'success' && outcome !== 'failure')) mistakes.push(`${name}: open`)
  if (starts !== 1 || ends !== 1) mistakes.push(`${name}: ${starts} starts, ${ends} ends`)
  if (rooms > 0) mistakes.push(`${name}: still takes its rooms`)
  if (row.contradicted) return mistakes
  const key = row.key === null ? undefined : lock.keys.get(row.key)
  if (
    action === 'issue' &&
    outcome === 'success' &&
    !['active', 'revoked'].includes(key?.state ?? '')
  ) {
    mistakes.push(`${name}: there is no such key`)
  }
  const isIssued = lock
    .keysOf(row.reservation)
    .some((each) => each.requestId === id && each.state === 'active')
  if (action === 'issue' && outcome === 'failure' && isIssued) {
    mistakes.push(`${name}: but the key works`)
  }
  if (
    action === 'revoke' &&
    outcome === 'success' &&
    key !== undefined &&
    key.state !== 'revoked'
  ) {
    mistakes.push(`${name}: but the key works`)
  }
  return mistakes
}

function doubleKeys({ keys }: FaultyLock): string[] {
  const active = [...keys.values()].filter(({ state }) => state === 'active')
  const seen = new Set<string>()
  return active.flatMap(({ reservationId }) => {
    if (seen.has(reservationId)) return [reservationId]
    seen.add(reservationId)
    return []
  })
}
