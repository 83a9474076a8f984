import { newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { expect } from 'vitest'
import { type IntentDevice, intentDevice, type TestIntent, verdictOf } from './intent-device.ts'
import { query, shared } from './intent-fixture.ts'

/** In the order of an attempt, with what is there after a crash at each of them. */
export const CRASH_POINTS = [
  { point: 'intents.after_claim', effects: 0, verdict: null },
  { point: 'intents.after_upstream', effects: 1, verdict: null },
  { point: 'intents.after_verdict', effects: 1, verdict: 'applied' },
] as const

export interface CrashedIntent {
  readonly device: IntentDevice
  readonly intent: TestIntent
  /** The device repeats its request at another instance, once the claims of the dead one ended. */
  repeat(): Promise<void>
}

/** A process receives the intent and is killed at the point: the device gets no response. */
export async function crashAt(
  point: string,
  make: (device: IntentDevice) => TestIntent,
): Promise<CrashedIntent> {
  const { office } = shared
  await using victim = await office.spawnAnother({ MELMASTOON_CRASH_AT: point })
  const device = await intentDevice(office, 'manager')
  const intent = make(device)
  const request = { idempotencyKey: newId('req'), sentAt: new Date() }
  device.moveTo(victim.url)
  await expect(device.submit([intent], request)).rejects.toThrow('fetch failed')
  expect({ point, ...(await victim.exited) }).toMatchObject({ point, signal: 'SIGKILL' })
  device.moveTo(office.service.url)
  const repeat = async () => {
    await endClaims(intent)
    await eventually(
      async () => expect((await device.submit([intent], request)).map(verdictOf)).toEqual(APPLIED),
      { timeoutMs: 20_000, intervalMs: 200 },
    )
  }
  return { device, intent, repeat }
}

const APPLIED = ['applied']

/** As after the time for which a claim is valid. */
export async function endClaims({ intentId }: TestIntent): Promise<void> {
  await query("update $schema.idempotency set lease_until = '-infinity'")
  await query(
    `update $schema.offline_intent_verdict set claimed_until = now()
     where intent_id = $1 and verdict is null`,
    [intentId],
  )
}

/** Null: claimed, and not decided. */
export async function storedVerdict({ intentId }: TestIntent): Promise<string | null | undefined> {
  const rows = await query<{ verdict: string | null }>(
    'select verdict from $schema.offline_intent_verdict where intent_id = $1',
    [intentId],
  )
  expect(rows.length).toBeLessThanOrEqual(1)
  return rows[0]?.verdict
}

/** One verdict, activity and event, however often the intent is sent. */
export async function expectOneVerdict({ device, intent }: CrashedIntent): Promise<void> {
  expect(await storedVerdict(intent)).toBe('applied')
  expect(await device.submit([intent, intent])).toMatchObject([
    { verdict: 'applied', replayed: true },
    { verdict: 'applied', replayed: true },
  ])
  const activities = await query(
    'select 1 from $schema.operator_activity where device_id = $1 and action = $2',
    [device.tokens.deviceId, `offline.${intent.name}`],
  )
  const events = await query(
    `select 1 from $schema.outbox where payload->>'intentId' = $1
     union all select 1 from $schema.outbox_published where payload->>'intentId' = $1`,
    [intent.intentId],
  )
  expect([activities.length, events.length]).toEqual([1, 1])
}
