import { systemClock } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import { type Id, newId, type TenantId, uuidToId } from '@melmastoon/domain'
import { webhookKeys } from '@melmastoon/security'
import { latch } from '@melmastoon/testkit'
import type { Intent } from '@melmastoon/upstream-contracts/payment'
import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimWebhooks, recordDelivery } from '../../src/modules/payment/webhook-sql.ts'
import { WEBHOOK_TIMES } from '../../src/modules/payment/webhooks/webhook-times.ts'
import { startWebhookWorker } from '../../src/modules/payment/webhooks/webhook-worker.ts'
import {
  type RunningSandbox,
  sandboxEnvironment,
  startSandbox,
  type TestEnvironment,
  WEBHOOK_SECRET,
} from '../start-sandbox.ts'
import {
  cardBody,
  openHotel,
  type PaymentClient,
  paymentClientOf,
  startWebhookReceiver,
} from './payment-client.ts'
import { type OpenPaymentModule, openPaymentModule } from './payment-module.ts'
import { wrapDatabase } from './wrap-database.ts'

type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>

interface WebhookRow {
  readonly webhook_id: string
  readonly status: string
  readonly attempts: number
  readonly deliveries_done: number
  readonly last_outcome: string | null
}

const rowsOf = async (
  environment: TestEnvironment,
  { paymentIntentId }: Intent,
): Promise<WebhookRow[]> => {
  const rows = await environment.query<WebhookRow & { payment_intent_id: string }>(
    'select * from sandbox.payment_webhook order by intent_version',
  )
  return rows.filter((row) => uuidToId('pyi', row.payment_intent_id) === paymentIntentId)
}

const LATE_SECONDS = 1
const WITHIN = { timeout: 8_000, interval: 20 }

describe('webhooks of a running sandbox', () => {
  let environment: TestEnvironment
  let receiver: WebhookReceiver
  let sandbox: RunningSandbox
  let tenantId: TenantId
  let payments: PaymentClient

  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    environment = await sandboxEnvironment({
      PAYMENT_WEBHOOK_URL: receiver.url,
      PAYMENT_WEBHOOK_LATE_SECONDS: String(LATE_SECONDS),
    })
    sandbox = await startSandbox(environment)
    tenantId = await openHotel(sandbox.url)
    payments = paymentClientOf(sandbox.url, tenantId)
  })

  afterAll(async () => {
    await sandbox[Symbol.asyncDispose]()
    await environment[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  const create = (cardToken: string, captureMode: 'automatic' | 'manual' = 'automatic') =>
    payments.create(cardBody({ cardToken, captureMode }))
  const arrived = async (intent: Intent, count: number) => {
    await expect.poll(() => receiver.of(intent).length, WITHIN).toBe(count)
  }

  it('delivers every change of a payment, signed, with the state at that time', async () => {
    const intent = await create('tok_ok', 'manual')
    const captured = await payments.capture(intent)
    const { intent: refunded } = await payments.refund(captured, 100)
    await arrived(intent, 3)
    const observed = receiver
      .of(intent)
      .toSorted((a, b) => a.data.intent.version - b.data.intent.version)
    expect(observed.map(({ type }) => type)).toEqual([
      'payment_intent.authorized',
      'payment_intent.captured',
      'payment_intent.partially_refunded',
    ])
    expect(observed.map(({ data }) => data.intent)).toEqual([intent, captured, refunded])
    expect(observed.at(-1)?.data.intent).toEqual(await payments.get(intent))
    expect(observed[0]).toMatchObject({ tenantId, keyId: 'k1', id: expect.stringMatching(/^whk_/) })
  })

  it('late, lost, twice: as set by the token of the payment', async () => {
    const startedMs = performance.now()
    const lost = await create('tok_ok_webhook_lost')
    const late = await create('tok_ok_webhook_late')
    const twice = await create('tok_ok_webhook_twice')
    await arrived(twice, 2)
    const [first, second] = receiver.of(twice)
    expect(second?.raw).toBe(first?.raw)
    await arrived(late, 1)
    expect(performance.now() - startedMs).toBeGreaterThan(LATE_SECONDS * 1_000)
    expect(receiver.of(lost)).toEqual([])
    expect(await rowsOf(environment, lost)).toMatchObject([{ status: 'lost', attempts: 0 }])
    expect(await payments.get(lost)).toMatchObject({ status: 'captured' })
  })

  it('reversed: the later change arrives first', async () => {
    const intent = await create('tok_ok_webhook_reversed', 'manual')
    await payments.capture(intent)
    await arrived(intent, 2)
    expect(receiver.of(intent).map(({ data }) => data.intent.version)).toEqual([3, 2])
  })

  it('uses the global setting, unless its token overrides it', async () => {
    await sandbox.ctx.scenarios.setWebhookDelivery('lost')
    const lost = await create('tok_ok')
    const prompt = await create('tok_ok_webhook_prompt')
    await arrived(prompt, 1)
    await expect.poll(() => rowsOf(environment, lost), WITHIN).toMatchObject([{ status: 'lost' }])
    await sandbox.ctx.scenarios.setWebhookDelivery('prompt')
    expect(receiver.of(lost)).toEqual([])
  })

  it('sends the same bytes again on request, whatever the previous result', async () => {
    const { payment } = sandbox.ctx.modules
    const lost = await create('tok_ok_webhook_lost')
    await expect.poll(() => rowsOf(environment, lost), WITHIN).toMatchObject([{ status: 'lost' }])
    const [row] = await rowsOf(environment, lost)
    const webhookId = uuidToId('whk', row?.webhook_id ?? '')
    await payment.resendWebhook(tenantId, webhookId)
    await arrived(lost, 1)
    await payment.resendWebhook(tenantId, webhookId)
    await arrived(lost, 2)
    expect(new Set(receiver.of(lost).map(({ raw }) => raw)).size).toBe(1)
    const recent = await payment.recentWebhooks()
    expect(recent.find((webhook) => webhook.webhookId === webhookId)).toMatchObject({ tenantId })
    const strangers: [TenantId, Id<'whk'>][] = [
      [await openHotel(sandbox.url), webhookId],
      [tenantId, newId('whk')],
    ]
    for (const [tenant, id] of strangers) {
      await expect(payment.resendWebhook(tenant, id)).rejects.toMatchObject({ status: 404 })
    }
  })
})

describe('delivery', () => {
  let environment: TestEnvironment
  let payments: OpenPaymentModule
  let relayDb: Database
  const agent = new Agent()

  beforeAll(async () => {
    environment = await sandboxEnvironment()
    payments = await openPaymentModule(environment)
    relayDb = payments.ctx.relayDb
  })

  afterAll(async () => {
    await agent.close()
    await payments[Symbol.asyncDispose]()
    await environment[Symbol.asyncDispose]()
  })

  const QUICK = { ...WEBHOOK_TIMES, pollMs: 10, backOffSeconds: 0.02, attemptsMax: 3 }

  function startWorker(receiver: WebhookReceiver, more: { db?: Database; sendMs?: number } = {}) {
    const { db = relayDb, sendMs = 2_000 } = more
    const worker = startWebhookWorker({
      sender: {
        db,
        url: receiver.url,
        keys: webhookKeys(WEBHOOK_SECRET),
        scenarios: { webhookDelivery: () => 'prompt' },
        times: { ...QUICK, sendMs },
        agent,
        clock: systemClock,
      },
      onOutcome: () => undefined,
      onError: () => undefined,
    })
    return { [Symbol.asyncDispose]: () => worker.stop() }
  }

  const pay = () => payments.create(cardBody({ cardToken: 'tok_ok' }))
  const payMany = (count: number) => Promise.all(Array.from({ length: count }, pay))
  const statusOf = async (intent: Intent) => (await rowsOf(environment, intent))[0]

  it('retries with the same id until it is accepted', async () => {
    const intent = await pay()
    await using receiver = await startWebhookReceiver({
      status: (count) => (count < 3 ? 500 : 200),
    })
    await using _worker = startWorker(receiver)
    await expect
      .poll(() => statusOf(intent), WITHIN)
      .toMatchObject({
        status: 'delivered',
        attempts: 3,
        last_outcome: 'http_200',
      })
    expect(receiver.requestCount()).toBe(3)
  })

  it('gives up after a limited number of attempts, and follows no redirects', async () => {
    const intent = await pay()
    await using receiver = await startWebhookReceiver({ status: () => 302 })
    await using _worker = startWorker(receiver)
    await expect
      .poll(() => statusOf(intent), WITHIN)
      .toMatchObject({
        status: 'dead',
        attempts: 3,
        last_outcome: 'http_302',
      })
    expect(receiver.requestCount()).toBe(3)
  })

  it('three workers send each webhook once', async () => {
    const intents = await payMany(40)
    await using receiver = await startWebhookReceiver()
    await using _a = startWorker(receiver)
    await using _b = startWorker(receiver)
    await using _c = startWorker(receiver)
    await expect.poll(() => receiver.received.length, WITHIN).toBeGreaterThanOrEqual(40)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(intents.length)
    expect(receiver.received).toHaveLength(intents.length)
  })

  it('control: without the lease, the same webhook goes out several times', async () => {
    await payMany(5)
    // No response before a webhook has arrived a second time: it is still being sent until then.
    const repeated = latch()
    const status = async (count: number) => {
      if (count > 5) repeated.open()
      await repeated.promise
      return 204
    }
    await using receiver = await startWebhookReceiver({ status })
    const careless = wrapDatabase(relayDb, { edit: withoutLease })
    await using _a = startWorker(receiver, { db: careless })
    await using _b = startWorker(receiver, { db: careless })
    await expect.poll(() => receiver.received.length, WITHIN).toBeGreaterThan(5)
  })

  it('takes over from a dead worker, whose late result is ignored', async () => {
    const intent = await pay()
    const claimed = await relayDb.query(claimWebhooks(50, 0.3))
    const dead = claimed.find(({ body }) => body.includes(intent.paymentIntentId))
    if (dead === undefined) throw new Error('not claimed')
    await using receiver = await startWebhookReceiver()
    await using _worker = startWorker(receiver)
    await expect
      .poll(() => statusOf(intent), WITHIN)
      .toMatchObject({
        status: 'delivered',
        deliveries_done: 1,
      })
    const late = {
      delivery: 'prompt',
      outcome: 'http_200',
      moreCopies: 5,
      copyDelaySeconds: 0,
    } as const
    await relayDb.query(recordDelivery(dead, late))
    expect(await statusOf(intent)).toMatchObject({ status: 'delivered', deliveries_done: 1 })
  })

  it('stops waiting for a silent receiver after the timeout', async () => {
    const intent = await pay()
    await using silent = await startWebhookReceiver({ status: () => 0 })
    await using _worker = startWorker(silent, { sendMs: 100 })
    await expect.poll(() => statusOf(intent), WITHIN).toMatchObject({ last_outcome: 'timeout' })
  })
})

/** Claims due rows without a lease. */
function withoutLease(text: string): string {
  return text
    .replace('for update skip locked', '')
    .replace(/lease_until = now\(\) \+ make_interval\(secs => (\$\d+)::float8\)/, (_, seconds) => {
      return `lease_until = null, attempts = attempts + 0 * ${String(seconds)}::int`
    })
}
