import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import {
  idToUuid,
  isProblem,
  type ProblemCode,
  problem,
  type ReservationId,
  type TenantId,
} from '@melmastoon/domain'
import type { EventContext, OutboxEvent } from '@melmastoon/events'
import type { Actor } from '@melmastoon/upstream-contracts'
import type { ReservationStatus, StayDetail } from '@melmastoon/upstream-contracts/reservation'
import { lockSold } from '../inventory/module.ts'
import type { FloorPlan } from '../property/module.ts'
import { getStay, planOf, readStayRow } from './read-stays.ts'
import type { ReservationHost } from './reservation-host.ts'
import { allocationOf, type StayRow } from './stay.ts'
import { changeStay as changeStaySql } from './stay-sql.ts'

export interface StaffBody {
  readonly actor: Actor
  readonly causationId?: string
  readonly expectedVersion?: number
}

export interface StaffCall {
  readonly tenantId: TenantId
  readonly caller: string
  readonly key: string
  readonly cause: EventContext
  readonly scenario: string | undefined
  finish(tx: Tx, body: StayDetail): Promise<StayDetail>
}

/** A stay whose rooms are locked: nothing about it changes until the end of the transaction. */
export interface LockedStay {
  readonly tx: Tx
  readonly tenantId: TenantId
  readonly row: StayRow
  readonly plan: FloorPlan
}

/** What a change has decided; its effects on rooms are already written. */
export interface StayMove {
  readonly to: ReservationStatus
  readonly reasonCode: string
  /** The event, from the stay before and after the change. */
  readonly event: (before: LockedStay, after: StayDetail, change: StaffChange) => OutboxEvent
}

export interface StaffChange {
  readonly body: StaffBody
  readonly cause: EventContext
}

interface Change {
  readonly reservationId: ReservationId
  readonly body: StaffBody
  readonly call: StaffCall
  /** Checks whether the change is possible, and writes its effects on rooms. */
  readonly apply: (locked: LockedStay) => Promise<StayMove>
}

/** One transaction: rooms, reservation, history, event and response. */
export async function changeStay(
  { db }: ReservationHost,
  { reservationId, body, call, apply }: Change,
): Promise<StayDetail> {
  const { tenantId } = call
  if (call.scenario === 'version-conflict') throw versionConflict()
  return await db.withTenant(tenantId, async (tx) => {
    const locked = await lockStay(tx, { tenantId, reservationId })
    checkVersion(locked.row, body)
    const { to, reasonCode, event } = await apply(locked).catch(toStayRejection)
    const [noted] = await tx.query(
      changeStaySql({
        tenant: idToUuid(tenantId),
        reservation: idToUuid(reservationId),
        version: locked.row.version,
        to,
        reasonCode,
        operator: idToUuid(body.actor.operatorId),
        causation: body.causationId ?? null,
        caller: call.caller,
        key: call.key,
      }),
    )
    if (noted === undefined) throw versionConflict()
    const after = await getStay(tx, { tenantId, reservationId })
    await appendEvents(tx, [event(locked, after, { body, cause: call.cause })])
    return await call.finish(tx, after)
  })
}

interface StayRef {
  readonly tenantId: TenantId
  readonly reservationId: ReservationId
}

/** The row is read again after the lock: a change that was waited for is then visible. */
async function lockStay(tx: Tx, ref: StayRef): Promise<LockedStay> {
  const { tenantId } = ref
  const found = await readStayRow(tx, ref)
  await lockSold(tx, { tenantId, allocationId: allocationOf(found) }).catch(toStayRejection)
  const row = await readStayRow(tx, ref)
  return { tx, tenantId, row, plan: await planOf(tx, tenantId, row) }
}

function checkVersion({ version }: StayRow, { expectedVersion = version }: StaffBody): void {
  if (expectedVersion !== version) throw versionConflict()
}

function versionConflict() {
  return problem('MELMASTOON.RESERVATION.VERSION_CONFLICT')
}

const REJECTIONS: Readonly<Partial<Record<ProblemCode, ProblemCode>>> = {
  'MELMASTOON.INVENTORY.HOLD_SETTLED': 'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
  'MELMASTOON.INVENTORY.ROOM_NOT_FOUND': 'MELMASTOON.RESERVATION.ROOMS_MISMATCH',
  'MELMASTOON.INVENTORY.ROOM_TAKEN': 'MELMASTOON.RESERVATION.ROOM_NOT_AVAILABLE',
}

function toStayRejection(error: unknown): never {
  const code = isProblem(error) ? REJECTIONS[error.code] : undefined
  throw code === undefined ? error : problem(code)
}
