import { sql } from '@melmastoon/chassis/db'
import { runJob } from '@melmastoon/chassis/jobs'
import { jobHost } from '@melmastoon/chassis/service'
import { idToUuid, isProblem, type TenantId } from '@melmastoon/domain'
import { platformRegistry } from '@melmastoon/platform-events'
import { barrier } from '@melmastoon/testkit'
import {
  type Intent,
  type IntentMove,
  PAYMENT_MOVES,
  type PaymentWebhook,
} from '@melmastoon/upstream-contracts/payment'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemCause } from '../../src/event-causes.ts'
import type { Worker } from '../../src/module.ts'
import { expireIntents } from '../../src/modules/payment/expire-intents.ts'
import { createPaymentModule } from '../../src/modules/payment/module.ts'
import { ruleOf } from '../../src/modules/payment/state-table.ts'
import { service } from '../../src/service.ts'
import { sandboxEnvironment, type TestEnvironment } from '../start-sandbox.ts'
import { cardBody, money, startWebhookReceiver } from './payment-client.ts'
import {
  type OpenPaymentModule,
  type Operations,
  openPaymentModule,
  operationsOf,
  type Ref,
} from './payment-module.ts'
import { type Wrapping, wrapDatabase } from './wrap-database.ts'

let environment: TestEnvironment
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
let payments: OpenPaymentModule
let worker: Worker | undefined

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  environment = await sandboxEnvironment({
    PAYMENT_WEBHOOK_URL: receiver.url,
    PAYMENT_WEBHOOK_LATE_SECONDS: '1',
  })
  payments = await openPaymentModule(environment)
  worker = await payments.payment.start?.()
})

afterAll(async () => {
  await worker?.stop()
  await payments[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const LEGAL = new Set([
  'MELMASTOON.PAYMENT.ILLEGAL_TRANSITION',
  'MELMASTOON.PAYMENT.REFUND_TOO_LARGE',
])

/** The outcome: `done`, or the last part of the error code. Anything else is a failure. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (isProblem(error) && LEGAL.has(error.code)) return error.code.split('.').at(-1) ?? ''
    throw error
  }
}

/** Waits for all, also when one fails, so that no transaction is left waiting. */
async function tally(works: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const settled = await Promise.allSettled(works.map(outcomeOf))
  const counts: Record<string, number> = {}
  for (const outcome of settled) {
    if (outcome.status === 'rejected') throw outcome.reason
    counts[outcome.value] = (counts[outcome.value] ?? 0) + 1
  }
  return counts
}

const makeOverdue = ({ paymentIntentId }: Ref) =>
  payments.ctx.relayDb.query(sql`
    update sandbox.payment_intent set expires_at = now() - interval '1 second'
    where payment_intent_id = ${idToUuid(paymentIntentId)}::uuid and expires_at is not null`)

const expireAll = (db = payments.ctx.relayDb) => {
  const moving = { registry: platformRegistry, cause: systemCause('test') }
  return expireIntents(db, { moving, signal: AbortSignal.timeout(10_000) })
}

interface History {
  /** Snapshots of all versions but the first, oldest first. */
  readonly delivered: readonly Intent[]
  readonly events: readonly string[]
  readonly refundedMicro: bigint
}

async function historyOf({ paymentIntentId }: Ref): Promise<History> {
  const intent = idToUuid(paymentIntentId)
  const { relayDb } = payments.ctx
  const webhooks = await relayDb.query(sql<{ body: string }>`
    select body from sandbox.payment_webhook where payment_intent_id = ${intent}::uuid
    order by intent_version`)
  const events = await relayDb.query(sql<{ event: string }>`
    select split_part(subject, '.', 4) as event from (
      select seq, subject from sandbox.outbox where ordering_key = ${paymentIntentId}
      union all
      select seq, subject from sandbox.outbox_published where ordering_key = ${paymentIntentId}
    ) written order by seq`)
  const [refunds] = await relayDb.query(sql<{ sum: string }>`
    select coalesce(sum(amount_micro), 0)::text as sum from sandbox.payment_refund
    where payment_intent_id = ${intent}::uuid`)
  return {
    delivered: webhooks.map(({ body }) => (JSON.parse(body) as PaymentWebhook).data.intent),
    events: events.map(({ event }) => event),
    refundedMicro: BigInt(refunds?.sum ?? -1),
  }
}

const MOVE_NAMES = Object.keys(PAYMENT_MOVES) as IntentMove[]

/** Everything that must hold for a payment, in any order of calls. */
async function expectConsistent(created: Intent): Promise<Intent> {
  const now = await payments.get(created)
  const { delivered, events, refundedMicro } = await historyOf(created)
  expect(delivered.map(({ version }) => version)).toEqual(delivered.map((_, index) => index + 2))
  expect(comparable(delivered.at(-1) ?? created)).toEqual(comparable(now))
  const path = [created, ...delivered].map(({ status }) => status)
  const moves = path.slice(1).map((to, index) => {
    const from = path[index] ?? to
    return MOVE_NAMES.find((move) => ruleOf(move).to === to && ruleOf(move).from.includes(from))
  })
  expect(moves).not.toContain(undefined)
  const expected = moves.map((move) => (move === undefined ? null : ruleOf(move).event))
  expect(events).toEqual(expected.filter((event) => event !== null))
  expect(events.filter((event) => event === 'captured').length).toBeLessThanOrEqual(1)
  const [amount, captured, refunded] = [now.amount, now.capturedAmount, now.refundedAmount].map(
    ({ amountMicro }) => BigInt(amountMicro),
  )
  expect(captured).toBeLessThanOrEqual(amount ?? -1n)
  expect(refunded).toBeLessThanOrEqual(captured ?? -1n)
  expect(refunded).toBe(refundedMicro)
  return now
}

function permutations<T>(items: readonly T[]): (readonly T[])[] {
  if (items.length < 2) return [items]
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((tail) => [item, ...tail]),
  )
}

const withoutLock = (text: string) => text.replace('for update', '')
const withoutVersion = (text: string) => text.replace('and i.version = c.version_before', '')
const withoutGuards = (text: string) => withoutVersion(withoutLock(text))

describe('operations in any order', () => {
  const steps = {
    approve: (intent: Intent) => payments.press(intent, 'verify'),
    return: (intent: Intent) => payments.press(intent, 'leave'),
    lookup: (intent: Intent) => payments.get(intent),
    cancel: (intent: Intent) => payments.cancel(intent),
    expiry: async (intent: Intent) => {
      await makeOverdue(intent)
      await expireAll()
    },
  }
  const deliveries = ['prompt', 'twice', 'late', 'reversed'] as const

  it('has one outcome in every order, consistent with late, repeated or reversed webhooks', async () => {
    const orders = permutations(Object.keys(steps) as (keyof typeof steps)[]).entries()
    const runs: { order: readonly string[]; delivery: string; created: Intent }[] = []
    const play = async () => {
      for (const [index, order] of orders) {
        const delivery = deliveries[index % deliveries.length] ?? 'prompt'
        const created = await payments.create(
          cardBody({ cardToken: `tok_3ds_webhook_${delivery}` }),
        )
        for (const step of order) await outcomeOf(Promise.resolve(steps[step](created)))
        runs.push({ order, delivery, created })
      }
    }
    await Promise.all([play(), play(), play(), play()])
    await expireAll()
    await expect
      .poll(() => environment.countRows('payment_webhook', "status = 'pending'"), {
        timeout: 8_000,
      })
      .toBe(0)
    const results = await Promise.all(runs.map(({ created }) => expectConsistent(created)))
    for (const [index, { order, delivery, created }] of runs.entries()) {
      const now = results[index]
      if (now === undefined) throw new Error('a payment is missing')
      const first = order.find((step) => ['approve', 'cancel', 'expiry'].includes(step))
      expect(now.status).toBe(first === 'approve' ? 'captured' : 'cancelled')
      expect(now.version).toBe(2)
      const delivered = receiver.of(created)
      expect(delivered).toHaveLength(delivery === 'twice' ? 2 : 1)
      for (const { data } of delivered) expect(data.intent).toEqual(now)
    }
    expect(runs).toHaveLength(120)
  })

  it('has one outcome in every interleaving of statements', { timeout: 120_000 }, async () => {
    const seen = new Set<string>()
    await fc.assert(
      interleavings({}, (now) => seen.add(now.status)),
      { numRuns: 120 },
    )
    expect(seen.size).toBeGreaterThan(1)
  })

  it('control: without lock and version check some interleaving is inconsistent', async () => {
    const broken = interleavings({ edit: withoutGuards }, () => undefined)
    const { failed } = await fc.check(broken, { numRuns: 100, endOnFailure: true })
    expect(failed).toBe(true)
  })
})

/** All operations on one payment concurrently; the scheduler orders their statements. */
function interleavings(more: Wrapping, onEnd: (now: Intent) => void) {
  return fc.asyncProperty(fc.scheduler(), fc.boolean(), async (scheduler, isManual) => {
    const wrapping: Wrapping = { ...more, before: () => scheduler.schedule(Promise.resolve()) }
    const interleaved = rebuild(wrapping)
    const captureMode = isManual ? 'manual' : 'automatic'
    const created = await payments.create(
      cardBody({ cardToken: 'tok_3ds', captureMode, amount: money(1_000) }),
    )
    const observed: Intent[] = []
    const observe = async () => observed.push(await interleaved.get(created))
    const expire = async () => {
      await makeOverdue(created)
      await expireAll(wrapDatabase(payments.ctx.relayDb, wrapping))
    }
    await scheduler.waitFor(
      tally([
        interleaved.press(created, 'verify'),
        interleaved.press(created, 'verify'),
        observe(),
        interleaved.cancel(created),
        interleaved.capture(created),
        expire(),
        interleaved.refund(created, 400),
        interleaved.refund(created, 700),
        interleaved.press(created, 'leave'),
        observe(),
      ]),
    )
    onEnd(await expectConsistent(created))
    const { delivered } = await historyOf(created)
    for (const snapshot of observed) {
      expect(comparable(snapshot)).toEqual(
        comparable([created, ...delivered][snapshot.version - 1]),
      )
    }
  })
}

/** Without what the test changes itself, and the page URL, which webhooks do not contain. */
function comparable(intent: Intent | undefined) {
  return { ...intent, expiresAt: null, nextAction: null }
}

function rebuild(wrapping: Wrapping): Operations {
  const { ctx, tenantId } = payments
  const db = wrapDatabase(ctx.db, wrapping)
  return operationsOf(createPaymentModule({ ...ctx, db }, { tenant: ctx.modules.tenant }), tenantId)
}

const times = <T>(count: number, work: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => work(index))

describe('fifty concurrent calls', () => {
  it('captures once for concurrent approvals', async () => {
    const created = await payments.create(cardBody())
    await tally(times(50, () => payments.press(created, 'pay')))
    expect(await expectConsistent(created)).toMatchObject({ status: 'captured', version: 2 })
  })

  it('captures once for concurrent captures', async () => {
    const created = await payments.create(cardBody({ captureMode: 'manual' }))
    await payments.press(created, 'pay')
    expect(await tally(times(50, () => payments.capture(created)))).toEqual({
      done: 1,
      ILLEGAL_TRANSITION: 49,
    })
    expect(await expectConsistent(created)).toMatchObject({ status: 'captured', version: 3 })
  })

  it('either captures or cancels', async () => {
    const created = await payments.create(cardBody({ captureMode: 'manual' }))
    await payments.press(created, 'pay')
    const works = times(50, (n) =>
      n % 2 === 0 ? payments.capture(created) : payments.cancel(created),
    )
    expect(await tally(works)).toEqual({ done: 1, ILLEGAL_TRANSITION: 49 })
    expect(await expectConsistent(created)).toMatchObject({ version: 3 })
  })

  it('refunds no more than the captured amount', async () => {
    const whole = await payments.create(cardBody({ amount: money(1_000) }))
    const tenths = await payments.create(cardBody({ amount: money(1_000) }))
    for (const created of [whole, tenths]) await payments.press(created, 'pay')
    expect(await tally(times(50, () => payments.refund(whole, 1_000)))).toMatchObject({ done: 1 })
    expect(await tally(times(50, () => payments.refund(tenths, 100)))).toMatchObject({ done: 10 })
    for (const created of [whole, tenths]) {
      expect(await expectConsistent(created)).toMatchObject({
        status: 'refunded',
        refundedAmount: money(1_000),
      })
    }
  })
})

/** Two operations that both read before either writes, with guards removed. */
function unguarded(edit: (text: string) => string): Operations {
  const both = barrier(2)
  const isRead = (text: string) => text.includes('for update')
  return rebuild({ edit, after: async (text) => (isRead(text) ? both.arrive() : undefined) })
}

describe('controls', () => {
  it('without lock and version, one payment is captured twice and refunded beyond its amount', async () => {
    const created = await payments.create(cardBody({ captureMode: 'manual', amount: money(1_000) }))
    await payments.press(created, 'pay')
    const unguardedPayments = unguarded(withoutGuards)
    expect(
      await tally([unguardedPayments.capture(created), unguardedPayments.capture(created)]),
    ).toEqual({ done: 2 })
    expect((await historyOf(created)).events).toEqual(['authorized', 'captured', 'captured'])
    const refunds = unguarded(withoutGuards)
    await tally([refunds.refund(created, 700), refunds.refund(created, 700)])
    expect((await historyOf(created)).refundedMicro).toBe(14_000_000n)
    await expect(expectConsistent(created)).rejects.toThrow('to not include undefined')
  })

  it('without the lock only, the version check rejects the second capture', async () => {
    const created = await payments.create(cardBody({ captureMode: 'manual' }))
    await payments.press(created, 'pay')
    const unguardedPayments = unguarded(withoutLock)
    const settled = await Promise.allSettled([
      unguardedPayments.capture(created),
      unguardedPayments.capture(created),
    ])
    expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expectConsistent(created)
  })

  it.each([
    ['captured beyond the amount', 'captured_micro = amount_micro + 1'],
    ['refunded beyond what was captured', 'refunded_micro = captured_micro + 1'],
    ['refunded without the status', 'refunded_micro = 1'],
    ['cancelled with money taken', "status = 'cancelled'"],
    ['negative capture', 'captured_micro = -1'],
  ])('the database itself rejects: %s', async (_what, change) => {
    const created = await payments.create(cardBody({ cardToken: 'tok_ok' }))
    const update = environment.query(
      `update sandbox.payment_intent set ${change} where payment_intent_id = $1`,
      [idToUuid(created.paymentIntentId)],
    )
    await expect(update).rejects.toMatchObject({ code: '23514' })
  })
})

describe('unpaid payments', () => {
  const copies = (tenantId: TenantId, { paymentIntentId }: Ref, count: number) =>
    environment.query(
      `insert into sandbox.payment_intent (tenant_id, payment_intent_id, draft_ref, method,
         provider, capture_mode, status, currency, amount_micro, return_url, secret_hash, created_by,
         request_key, expires_at)
       select tenant_id, gen_random_uuid(), 'expiring', method, provider, capture_mode, status,
         currency, amount_micro, return_url, secret_hash, created_by, request_key || n, now()
       from sandbox.payment_intent, generate_series(1, $3) n
       where tenant_id = $1 and payment_intent_id = $2`,
      [idToUuid(tenantId), idToUuid(paymentIntentId), count],
    )

  it('expire once with any number of runners, and others do not', async () => {
    const open = await payments.create(cardBody())
    const cash = await payments.create({ ...cardBody(), method: 'cash_on_arrival' })
    const promised = await payments.create(cardBody({ cardToken: 'tok_ok', captureMode: 'manual' }))
    await copies(payments.tenantId, open, 250)
    const expired = await Promise.all([expireAll(), expireAll(), expireAll()])
    expect(expired.reduce((sum, count) => sum + count)).toBe(250)
    const once = "draft_ref = 'expiring' and status = 'cancelled' and version = 2"
    expect(await environment.countRows('payment_intent', once)).toBe(250)
    expect(await payments.get(open)).toEqual(open)
    expect(await payments.get(cash)).toEqual(cash)
    await makeOverdue(promised)
    const host = jobHost(service, payments.ctx)
    expect(await runJob(host, 'expire-payment-intents')).toMatchObject({
      outcome: 'done',
      summary: { expired: 1 },
    })
    expect(await payments.get(promised)).toMatchObject({
      status: 'cancelled',
      declineCode: 'expired',
    })
  })

  it('cannot be paid once overdue, even before the job has run', async () => {
    const created = await payments.create(cardBody())
    await makeOverdue(created)
    const outcome = await payments.press(created, 'pay')
    expect(outcome).toMatchObject({ url: expect.stringContaining('redirect_status=failed') })
    expect(await payments.get(created)).toMatchObject({ status: 'requires_action', version: 1 })
    await expireAll()
    expect(await expectConsistent(created)).toMatchObject({ declineCode: 'expired' })
  })

  it('have their webhooks pruned', async () => {
    const created = await payments.create(cardBody({ cardToken: 'tok_ok' }))
    const own = `payment_intent_id = '${idToUuid(created.paymentIntentId)}'`
    const age = "update sandbox.payment_webhook set created_at = now() - interval '8 days' where "
    await environment.query(age + own)
    const before = await environment.countRows('payment_webhook')
    const host = jobHost(service, payments.ctx)
    expect(await runJob(host, 'prune-payment-webhooks')).toMatchObject({ summary: { deleted: 1 } })
    expect(await environment.countRows('payment_webhook')).toBe(before - 1)
  })
})
