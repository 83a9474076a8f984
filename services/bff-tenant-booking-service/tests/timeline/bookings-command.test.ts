import { createDatabase, type Database, sql } from '@melmastoon/chassis/db'
import { serviceMigrations } from '@melmastoon/chassis/service'
import { idToUuid, newId } from '@melmastoon/domain'
import { type TestDatabase, testDatabase } from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { service } from '../../src/service.ts'
import { runBookingsCommand } from '../../src/timeline/bookings-command.ts'

const SECRET = 'a name, a key or a sealed value'
const [tenantId, draftId, settledId] = [newId('tnt'), newId('bdr'), newId('bdr')] as const
const [intentId, reservationId] = [newId('pyi'), newId('rsv')]
const at = '2026-11-16T09:00:00.000Z'

let database: TestDatabase
let app: Database
let relay: Database

beforeAll(async () => {
  const migrations = await serviceMigrations(service)
  database = await testDatabase({ schema: service.config.schema, migrations })
  const open = (url: string) => createDatabase({ url, poolMax: 1, onError: () => undefined })
  app = open(database.appUrl)
  relay = open(database.relayUrl)
  await insertBooking(draftId, { state: 'confirming', finalized: false })
  await insertBooking(settledId, { state: 'confirmed', finalized: true })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await relay[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

async function insertBooking(
  id: typeof draftId,
  { state, finalized }: { readonly state: string; readonly finalized: boolean },
) {
  const [tenant, draft] = [idToUuid(tenantId), idToUuid(id)]
  const history = JSON.stringify([{ event: 'hold.placed', from: 'quoting', to: 'holding', at }])
  const errors = JSON.stringify([
    { code: 'MELMASTOON.PAYMENT.DECLINED', atState: 'paying', upstream: 'payment', at },
  ])
  const end = finalized ? at : null
  const query = (statement: ReturnType<typeof sql>) => app.tenantQuery(tenantId, statement)
  await query(sql`insert into booking_draft (tenant_id, id, session_id, state, reservation_id,
      reservation_code, terms, hold_expires_at, guest, guest_email_hash, origin, created_at,
      last_activity_at, expires_at, flow_state_history, error_trail, finalized_at)
    values (${tenant}::uuid, ${draft}::uuid, ${newId('tnt_session')}, ${state},
      ${finalized ? newId('rsv') : reservationId}, ${SECRET}, '{}', ${at}::timestamptz,
      ${Buffer.from(SECRET)}, ${SECRET}, '{}', ${at}::timestamptz, ${at}::timestamptz,
      ${at}::timestamptz, ${history}::jsonb, ${errors}::jsonb, ${end}::timestamptz)`)
  await query(sql`insert into booking_fulfilment (tenant_id, draft_id, state, decision,
      reservation_id, consented_digest, amount_micro, currency, confirm_request, confirm_key,
      next_at, settled_at, last_error, outcome_code)
    values (${tenant}::uuid, ${draft}::uuid, ${state}, 'confirm', ${reservationId}, ${SECRET},
      5000000, 'USD', ${Buffer.from(SECRET)}, ${SECRET}, ${finalized ? null : '2099-01-01'}::timestamptz,
      ${end}::timestamptz, 'MELMASTOON.BFF.UPSTREAM_TIMEOUT', ${finalized ? 'confirmed' : null})`)
  await query(sql`insert into booking_payment_attempt (tenant_id, draft_id, no, key, intent_id,
      method, capture_mode, digest, amount_micro, currency, phone_ref, return_url, status,
      intent_status, intent_version)
    values (${tenant}::uuid, ${draft}::uuid, 1, ${SECRET}, ${finalized ? newId('pyi') : intentId},
      'mobile_money', 'automatic', ${SECRET}, 5000000, 'USD', ${SECRET}, ${SECRET}, 'paid',
      'captured', 2)`)
}

async function run(...words: string[]) {
  const lines: string[] = []
  const code = await runBookingsCommand(words, relay, (line) => lines.push(line))
  return { code, text: lines.join('\n') }
}

it('prints the history, attempts and record of a booking, without personal data', async () => {
  const { code, text } = await run('show', draftId)
  expect(code).toBe(0)
  expect(text).toContain(`${draftId} of ${tenantId}: confirming`)
  expect(text).toContain(reservationId)
  expect(text).toContain('hold.placed: quoting → holding')
  expect(text).toContain('MELMASTOON.PAYMENT.DECLINED while paying by payment')
  expect(text).toContain(`paid, ${intentId} captured (version 2), 5000000 micro USD, 0 refunded`)
  expect(text).toContain('decision confirm; recovery point open; claim 0, 0 tries')
  expect(text).toContain('last error MELMASTOON.BFF.UPSTREAM_TIMEOUT')
  expect(text).not.toContain(SECRET)
})

it('makes an unsettled payment due, and changes nothing else', async () => {
  const rest = async () =>
    relay.query(sql`select to_jsonb(f) - 'next_at' as row from booking_fulfilment f order by 1`)
  const before = await rest()
  expect(await run('due', draftId)).toEqual({ code: 0, text: '1 payment is due now.' })
  expect(await rest()).toEqual(before)
  const due = sql<{ draft_id: string }>`select draft_id from booking_fulfilment
    where next_at <= booking_now()`
  expect(await relay.query(due)).toEqual([{ draft_id: idToUuid(draftId) }])
  expect(await run('due', settledId)).toEqual({
    code: 1,
    text: `${settledId} has no payment that is not settled: nothing was changed.`,
  })
  expect(await run('due', 'all')).toEqual({ code: 0, text: '1 payment is due now.' })
})

it('explains itself, and reports an unknown draft', async () => {
  for (const [message, ...words] of [
    ['Name a command.'],
    ['There is no command list.', 'list'],
    ['bookings show needs a draft id', 'show'],
    ['rsv_1 is not a draft id', 'show', 'rsv_1'],
    ['or all.', 'due'],
    ['bookings show takes one name only.', 'show', draftId, 'x'],
  ]) {
    const { code, text } = await run(...words)
    expect(code).toBe(2)
    expect(text).toContain(message)
    expect(text).toContain('bookings due all')
  }
  expect(await run('show', newId('bdr'))).toMatchObject({ code: 1 })
})
