import { newId, type TenantId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { paymentContract } from '@melmastoon/upstream-contracts/payment'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAGIC_NUMBERS } from '../../src/modules/payment/magic-values.ts'
import {
  clientFor,
  type RunningSandbox,
  rejectionOf,
  sandboxEnvironment,
  send,
  serviceHeaders,
  startSandbox,
  type TestEnvironment,
} from '../start-sandbox.ts'
import {
  cardBody,
  money,
  newKey,
  openHotel,
  type PaymentClient,
  pagePath,
  paymentClientOf,
  press,
  startWebhookReceiver,
} from './payment-client.ts'

const CANARY = '+93799555123'

let environment: TestEnvironment
let sandbox: RunningSandbox
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
let tenantId: TenantId
let payments: PaymentClient

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  environment = await sandboxEnvironment({ HOLD_SECONDS: '1', PAYMENT_WEBHOOK_URL: receiver.url })
  sandbox = await startSandbox(environment)
  tenantId = await openHotel(sandbox.url)
  payments = paymentClientOf(sandbox.url, tenantId)
})

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const tokenize = async (phone: string, tenant = tenantId) =>
  clientFor(paymentContract, sandbox.url).tokenizePhone(
    { body: { phone } },
    { tenantId: tenant, idempotencyKey: newKey() },
  )

const pay = (phoneRef: string, client = payments) =>
  client.create({
    draftRef: newId('bdr'),
    method: 'mobile_money',
    amount: money(50_000),
    captureMode: 'automatic',
    phoneRef,
  })

describe('a phone number', () => {
  it('of any guest is exchanged for a reference, and pays', async () => {
    const { phoneRef } = await tokenize(CANARY)
    expect(await tokenize(CANARY)).toEqual({ phoneRef })
    const intent = await pay(phoneRef)
    expect(intent).toMatchObject({ status: 'processing', provider: 'hesabpay-test' })
    await eventually(async () => expect((await payments.get(intent)).status).toBe('captured'), {
      timeoutMs: 8_000,
    })
  })

  it('has another reference at another hotel, which does not know the first one', async () => {
    const other = await openHotel(sandbox.url)
    const { phoneRef } = await tokenize(CANARY)
    expect((await tokenize(CANARY, other)).phoneRef).not.toBe(phoneRef)
    const foreign = pay(phoneRef, paymentClientOf(sandbox.url, other))
    expect(await rejectionOf(foreign)).toBe('MELMASTOON.GENERAL.VALIDATION_FAILED')
    const unknown = pay(`phone_${'0'.repeat(40)}`)
    expect(await rejectionOf(unknown)).toBe('MELMASTOON.GENERAL.VALIDATION_FAILED')
  })

  it('is stored, published and logged nowhere', async () => {
    const { phoneRef } = await tokenize(CANARY)
    await pay(phoneRef)
    const digits = CANARY.slice(1)
    const tables = await environment.query<{ name: string; found: boolean }>(
      `select relname as name, query_to_xml(format('select * from sandbox.%I', relname), false,
         false, '')::text like '%${digits}%' as found
       from pg_class where relnamespace = 'sandbox'::regnamespace and relkind = 'r'`,
    )
    expect(tables.length).toBeGreaterThan(10)
    expect(tables.filter(({ found }) => found)).toEqual([])
    expect(JSON.stringify(receiver.received)).not.toContain(digits)
  })

  it.each(['0700123456', '+93 700 123 456', '+0123456789', 'phone_ok'])(
    'is rejected as %j',
    async (phone) => {
      const path = '/upstreams/payment/api/v1/payments/phone-refs'
      const headers = serviceHeaders(tenantId)
      const rejected = await send(sandbox.url, 'POST', path, {
        key: newKey(),
        headers,
        json: { phone },
      })
      expect([rejected.status, rejected.body['code']]).toEqual([
        400,
        'MELMASTOON.GENERAL.VALIDATION_FAILED',
      ])
      expect(rejected.text).not.toContain(phone)
    },
  )

  it('is rejected by a hotel without mobile money, suspended or unknown', async () => {
    const cardOnly = await openHotel(sandbox.url, ['card'])
    expect(await rejectionOf(tokenize(CANARY, cardOnly))).toBe(
      'MELMASTOON.PAYMENT.METHOD_NOT_OFFERED',
    )
    expect(await rejectionOf(tokenize(CANARY, newId('tnt')))).toBe('MELMASTOON.TENANT.NOT_FOUND')
    const closed = await openHotel(sandbox.url)
    await clientFor(tenantContract, sandbox.url).suspend(
      { params: { tenantId: closed }, body: { reasonCode: 'unpaid' } },
      { tenantId: closed, idempotencyKey: newKey() },
    )
    expect(await rejectionOf(tokenize(CANARY, closed))).toBe('MELMASTOON.TENANT.SUSPENDED')
  })
})

describe('test numbers', () => {
  const numberOf = (ref: string) =>
    Object.entries(MAGIC_NUMBERS).find(([, behaviour]) => behaviour === ref)?.[0] ?? ''
  const payWith = async (ref: string, client = payments) =>
    pay((await tokenize(numberOf(ref))).phoneRef, client)

  it('decline, and pay after the hold has expired', async () => {
    const [declined, late] = [await payWith('phone_decline'), await payWith('phone_late')]
    await eventually(
      async () => {
        expect((await payments.get(declined)).status).toBe('failed')
        expect((await payments.get(late)).status).toBe('captured')
      },
      { timeoutMs: 10_000 },
    )
    await eventually(async () => {
      const [captured] = receiver.of(late)
      const waitedMs = Date.parse(captured?.occurredAt ?? '') - Date.parse(late.createdAt)
      expect(waitedMs).toBeGreaterThanOrEqual(3_000)
    })
  })

  it('lose the response: only a lookup shows whether the payment exists', async () => {
    const hasty = paymentClientOf(sandbox.url, tenantId, { deadlineMs: 400 })
    const attempt = async (ref: string) => {
      const { phoneRef } = await tokenize(numberOf(ref))
      const key = newKey()
      const body = {
        draftRef: newId('bdr'),
        method: 'mobile_money' as const,
        amount: money(50_000),
        captureMode: 'automatic' as const,
        phoneRef,
      }
      await expect(hasty.create(body, key)).rejects.toMatchObject({
        code: 'MELMASTOON.BFF.UPSTREAM_TIMEOUT',
      })
      return key
    }
    const landed = await attempt('phone_timeout')
    await eventually(async () => expect((await payments.byKey(landed)).version).toBe(1))
    const lost = await attempt('phone_timeout_lost')
    expect(await rejectionOf(payments.byKey(lost))).toBe('MELMASTOON.PAYMENT.INTENT_NOT_FOUND')
  })

  it('report a provider that is down', async () => {
    const rejected = payWith('phone_gateway_down')
    await expect(rejected).rejects.toMatchObject({ code: 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE' })
  })
})

describe('a card chosen on the page', () => {
  const choose = async (card: string, webhook = '') => {
    const intent = await payments.create(cardBody({ captureMode: 'manual' }))
    await press(sandbox.url, pagePath(intent), { action: 'pay', card, webhook })
    return intent
  }

  it('also decides the capture', async () => {
    const intent = await choose('tok_capture_declined')
    expect(await payments.get(intent)).toMatchObject({ status: 'authorized' })
    expect(await rejectionOf(payments.capture(intent))).toBe('MELMASTOON.PAYMENT.DECLINED')
    const other = await choose('tok_ok')
    expect(await payments.capture(other)).toMatchObject({ status: 'captured' })
  })

  it('also decides the delivery of webhooks', async () => {
    const [lost, twice] = [
      await choose('tok_ok', '_webhook_lost'),
      await choose('tok_ok', '_webhook_twice'),
    ]
    await eventually(async () => expect(receiver.of(twice)).toHaveLength(2))
    expect(receiver.of(lost)).toEqual([])
  })
})

it('a hotel has one provider per method, and every payment names its own', async () => {
  expect(await payments.methods()).toMatchObject([
    { method: 'card', provider: 'adyen-test' },
    { method: 'cash_on_arrival', provider: 'cash' },
    { method: 'mobile_money', provider: 'hesabpay-test' },
  ])
  const intent = await payments.create(cardBody({ cardToken: 'tok_ok' }))
  expect(intent.provider).toBe('adyen-test')
})

it.each([
  ['http://kabul-inn.localhost:8082/book', 201],
  ['http://booking.kabul-inn.localhost/back?x=1', 201],
  ['http://localhost:8082/', 201],
  ['https://kabul-inn.example/back', 201],
  ['http://kabul-inn.example/back', 400],
  ['http://localhost.example/back', 400],
  ['http://evil-localhost/back', 400],
  ['http://user@kabul-inn.localhost/', 400],
  ['javascript:alert(1)', 400],
])('the return URL %s gets %i', async (returnUrl, status) => {
  const response = await send(sandbox.url, 'POST', '/upstreams/payment/api/v1/payments/intents', {
    key: newKey(),
    headers: serviceHeaders(tenantId),
    json: cardBody({ returnUrl }),
  })
  expect(response.status).toBe(status)
})
