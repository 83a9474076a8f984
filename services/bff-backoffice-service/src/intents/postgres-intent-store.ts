import type { Database } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { type Id, newId, type OperatorId, uuidToId } from '@melmastoon/domain'
import { insertActivities } from '../activity/activity-sql.ts'
import type { DeviceRef, Verdict } from './intent.ts'
import {
  claimIntent,
  holdIntent,
  type IntentRow,
  releaseIntent,
  selectIntent,
  selectLastContact,
  writeVerdict,
} from './intent-sql.ts'
import type {
  ClaimResult,
  HoldResult,
  IntentStore,
  NewIntent,
  StoredIntent,
} from './intent-store.ts'

/** Longer than the deadline of one intent, so that two attempts do not overlap. */
const LEASE_MS = 10_000
/** A claim that raced with another sees its row in the second round. */
const ROUNDS_MAX = 2

export function createIntentStore(
  db: Pick<Database, 'tenantQuery' | 'withTenant'>,
  { leaseMs = LEASE_MS }: { readonly leaseMs?: number } = {},
): IntentStore {
  return {
    leaseMs,
    async claim(intent, deadline) {
      for (let round = 0; round < ROUNDS_MAX; round += 1) {
        const claim = claimIntent(intent, leaseMs)
        const [row] = await db.tenantQuery(intent.tenantId, claim, { deadline })
        if (row !== undefined) return toResult(intent, row)
      }
      return { kind: 'busy' }
    },
    async hold(intent, deadline) {
      for (let round = 0; round < ROUNDS_MAX; round += 1) {
        const [row] = await db.tenantQuery(intent.tenantId, holdIntent(intent), { deadline })
        if (row !== undefined) return toHeld(intent, row)
      }
      return { kind: 'busy' }
    },
    async decide(claimed, decision, deadline) {
      return await db.withTenant(
        claimed.tenantId,
        async (tx) => {
          const [written] = await tx.query(writeVerdict(claimed, decision))
          if (written === undefined) return false
          await tx.query(insertActivities([{ ...decision.activity, id: newId('act') }]))
          await appendEvents(tx, [decision.event])
          return true
        },
        { deadline },
      )
    },
    async release(claimed, deadline) {
      await db.tenantQuery(claimed.tenantId, releaseIntent(claimed), { deadline })
    },
    async find(device, intentId, deadline) {
      const select = selectIntent(device.deviceId, intentId)
      const [row] = await db.tenantQuery(device.tenantId, select, { deadline })
      return row === undefined ? null : toStored({ ...device, intentId }, row)
    },
    async lastContact({ tenantId, deviceId }, deadline) {
      const [row] = await db.tenantQuery(tenantId, selectLastContact(deviceId), { deadline })
      return row === undefined ? null : { receivedAt: row.received_at, bootId: row.boot_id }
    },
  }
}

function toResult(intent: NewIntent, row: IntentRow): ClaimResult {
  if (row.content_hash !== intent.contentHash) return { kind: 'reused' }
  const stored = toStored(intent, row)
  if (row.claimed) return { kind: 'claimed', stored }
  return stored.verdict === null ? { kind: 'busy' } : { kind: 'decided', stored }
}

function toHeld(intent: NewIntent, row: IntentRow): HoldResult {
  if (row.content_hash !== intent.contentHash) return { kind: 'reused' }
  const stored = toStored(intent, row)
  return { kind: stored.verdict === null ? 'held' : 'decided', stored }
}

function toStored(key: DeviceRef & { readonly intentId: Id<'int'> }, row: IntentRow): StoredIntent {
  const { verdict, detail } = row
  return {
    tenantId: key.tenantId,
    deviceId: key.deviceId,
    intentId: key.intentId,
    operatorId: row.operator_id as OperatorId,
    propertyId: row.property_id === null ? null : uuidToId('ppt', row.property_id),
    name: row.name,
    resourceId: row.resource_id,
    seq: Number(row.seq),
    contentHash: row.content_hash,
    bootId: row.boot_id,
    occurredAt: row.occurred_at,
    clockSuspect: row.clock_suspect,
    receivedAt: row.received_at,
    attempt: row.attempt,
    verdict: verdict === null ? null : ({ verdict, ...detail } as Verdict),
  }
}
