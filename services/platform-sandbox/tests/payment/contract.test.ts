import { newId, type TenantId } from '@melmastoon/domain'
import { expectValidEvents } from '@melmastoon/testkit'
import { tenancyFindings, tenantTablesOf } from '@melmastoon/testkit/schema'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  clientFor,
  contracts,
  drainEvents,
  type RunningSandbox,
  rejectionOf,
  type SendOptions,
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
} from './payment-client.ts'

const PAYMENT = 'MELMASTOON.PAYMENT'
const INTENTS = '/upstreams/payment/api/v1/payments/intents'

let environment: TestEnvironment
let sandbox: RunningSandbox
let tenantId: TenantId
let payments: PaymentClient

beforeAll(async () => {
  environment = await sandboxEnvironment()
  sandbox = await startSandbox(environment)
  tenantId = await openHotel(sandbox.url)
  payments = paymentClientOf(sandbox.url, tenantId)
})

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
})

const post = (path: string, options: SendOptions = {}) =>
  send(sandbox.url, 'POST', INTENTS + path, {
    key: newKey(),
    headers: serviceHeaders(tenantId),
    ...options,
  })

async function eventsOf({ paymentIntentId }: { paymentIntentId: string }) {
  const all = await drainEvents(environment, 'melmastoon.payment.%')
  const own = all.filter(({ payload }) => {
    return (payload as { paymentIntentId: string }).paymentIntentId === paymentIntentId
  })
  return own.map(({ envelope, payload }) => {
    const { status, amount, reasonCode } = payload as Record<string, unknown>
    return { subject: envelope.subject.split('.').at(-2), status, amount, reasonCode }
  })
}

describe('a payment with a token', () => {
  it('is captured immediately with automatic capture', async () => {
    const reservationId = newId('rsv')
    const body = cardBody({ cardToken: 'tok_ok', reservationId })
    const intent = await payments.create(body)
    expect(intent).toMatchObject({
      reservationId,
      draftRef: body.draftRef,
      status: 'captured',
      nextAction: null,
      amount: body.amount,
      capturedAmount: body.amount,
      refundedAmount: money(0),
      version: 2,
      expiresAt: null,
    })
    expect(await payments.get(intent)).toEqual(intent)
    expect(await eventsOf(intent)).toEqual([
      { subject: 'captured', status: 'captured', amount: body.amount, reasonCode: null },
    ])
  })

  it('is authorized with manual capture, then captured in full or in part', async () => {
    const create = () => payments.create(cardBody({ cardToken: 'tok_ok', captureMode: 'manual' }))
    const [whole, part] = [await create(), await create()]
    expect(whole).toMatchObject({ status: 'authorized', capturedAmount: money(0) })
    expect(Date.parse(whole.expiresAt ?? '') - Date.now()).toBeGreaterThan(6 * 86_400_000)
    expect(await payments.capture(whole)).toMatchObject({
      status: 'captured',
      capturedAmount: whole.amount,
      version: 3,
    })
    expect(await payments.capture(part, 100_000)).toMatchObject({ capturedAmount: money(100_000) })
    expect((await eventsOf(part)).map(({ subject }) => subject)).toEqual(['authorized', 'captured'])
    expect(await rejectionOf(payments.capture(part))).toBe(`${PAYMENT}.ILLEGAL_TRANSITION`)
  })

  it.each([
    ['tok_decline_insufficient_funds', 'insufficient_funds'],
    ['tok_decline_lost_card', 'lost_card'],
  ])('is declined with %s', async (cardToken, declineCode) => {
    const intent = await payments.create(cardBody({ cardToken }))
    expect(intent).toMatchObject({ status: 'failed', declineCode, nextAction: null })
    expect(await eventsOf(intent)).toMatchObject([{ subject: 'failed', reasonCode: declineCode }])
    expect(await rejectionOf(payments.capture(intent))).toBe(`${PAYMENT}.ILLEGAL_TRANSITION`)
    expect(await rejectionOf(payments.refund(intent, 1))).toBe(`${PAYMENT}.ILLEGAL_TRANSITION`)
  })

  it('is declined for some amounts with any card', async () => {
    const intent = await payments.create(cardBody({ cardToken: 'tok_ok', amount: money(40_002) }))
    expect(intent).toMatchObject({ status: 'failed', declineCode: 'insufficient_funds' })
  })

  it('may be declined at capture, and stays authorized', async () => {
    const body = cardBody({ cardToken: 'tok_capture_declined', captureMode: 'manual' })
    const intent = await payments.create(body)
    expect(await rejectionOf(payments.capture(intent))).toBe(`${PAYMENT}.DECLINED`)
    expect(await payments.get(intent)).toEqual(intent)
  })

  it('requires the payer for some cards, and always without a token', async () => {
    const [challenged, open] = [
      await payments.create(cardBody({ cardToken: 'tok_3ds' })),
      await payments.create(cardBody()),
    ]
    for (const intent of [challenged, open]) {
      expect(intent).toMatchObject({ status: 'requires_action', version: 1 })
      expect(pagePath(intent)).toMatch(/^\/pay\/tnt_\w+\/pyi_\w+\?cs=[\w-]{43}&lang=en$/)
      expect(await payments.get(intent)).toEqual(intent)
      const minutes = (Date.parse(intent.expiresAt ?? '') - Date.parse(intent.createdAt)) / 60_000
      expect(minutes).toBe(30)
    }
    expect(await eventsOf(open)).toEqual([])
  })

  it('applies a card token from the scenario header', async () => {
    const scenario = paymentClientOf(sandbox.url, tenantId, { scenario: 'tok_decline_lost_card' })
    expect(await scenario.create(cardBody())).toMatchObject({ declineCode: 'lost_card' })
  })
})

describe('a missing response', () => {
  it('tok_timeout: captured, visible only by a lookup', async () => {
    const hasty = paymentClientOf(sandbox.url, tenantId, { deadlineMs: 500 })
    const key = newKey()
    const body = cardBody({ cardToken: 'tok_timeout' })
    await expect(hasty.create(body, key)).rejects.toMatchObject({
      code: 'MELMASTOON.BFF.UPSTREAM_TIMEOUT',
    })
    const landed = await payments.byKey(key)
    expect(landed).toMatchObject({ status: 'captured', draftRef: body.draftRef })
    expect(await payments.create(body, key)).toEqual(landed)
  })

  it('tok_timeout_lost: nothing was captured', async () => {
    const hasty = paymentClientOf(sandbox.url, tenantId, { deadlineMs: 300 })
    const key = newKey()
    const lost = hasty.create(cardBody({ cardToken: 'tok_timeout_lost' }), key)
    await expect(lost).rejects.toMatchObject({ code: 'MELMASTOON.BFF.UPSTREAM_TIMEOUT' })
    expect(await rejectionOf(payments.byKey(key))).toBe(`${PAYMENT}.INTENT_NOT_FOUND`)
  })

  it('tok_gateway_down: 502, and the same key may be retried', async () => {
    const key = newKey()
    const json = cardBody({ cardToken: 'tok_gateway_down' })
    for (const _ of [1, 2]) {
      const response = await post('', { json, key })
      expect(response).toMatchObject({
        status: 502,
        body: { code: `${PAYMENT}.GATEWAY_UNAVAILABLE`, retriable: true },
      })
      expect(response.headers.get('idempotent-replayed')).toBeNull()
    }
    expect(await rejectionOf(payments.byKey(key))).toBe(`${PAYMENT}.INTENT_NOT_FOUND`)
  })

  it('finds a payment by a key of maximum length', async () => {
    const key = 'k'.repeat(255 - 30) + newKey()
    const intent = await payments.create(cardBody({ cardToken: 'tok_ok' }), key)
    expect(key).toHaveLength(255)
    expect(await payments.byKey(key)).toEqual(intent)
  })

  it('finds a payment by the plain and the quoted form of its key, for its caller only', async () => {
    const key = newKey()
    const json = cardBody({ cardToken: 'tok_ok' })
    const { body } = await post('', { json, key: `"${key}"` })
    expect(await payments.byKey(key)).toEqual(body)
    const other = paymentClientOf(sandbox.url, tenantId, { service: 'another-service' })
    expect(await rejectionOf(other.byKey(key))).toBe(`${PAYMENT}.INTENT_NOT_FOUND`)
  })

  it('finds the payment of a key after its response was pruned', async () => {
    const key = newKey()
    const body = cardBody({ cardToken: 'tok_ok' })
    const intent = await payments.create(body, key)
    await environment.query(`delete from sandbox.idempotency`)
    expect(await payments.create(body, key)).toEqual(intent)
    await environment.query(`delete from sandbox.idempotency`)
    const others = [{ amount: money(500) }, { captureMode: 'manual' as const }]
    for (const other of [...others, { reservationId: newId('rsv') }]) {
      const rejection = await rejectionOf(payments.create({ ...body, ...other }, key))
      expect(rejection).toBe('MELMASTOON.IDEMPOTENCY.KEY_REUSED')
    }
  })
})

describe('a suspended hotel', () => {
  it('creates no payment, but captures and refunds existing ones', async () => {
    const off = await openHotel(sandbox.url)
    const payments = paymentClientOf(sandbox.url, off)
    const body = cardBody({ cardToken: 'tok_ok', captureMode: 'manual' })
    const create = (key?: string) => payments.create(body, key)
    const created = await create()
    const tenants = clientFor(tenantContract, sandbox.url)
    const own = () => ({ tenantId: off, idempotencyKey: newKey() })
    const params = { tenantId: off }
    await tenants.suspend({ params, body: { reasonCode: 'unpaid' } }, own())
    const rejected = newKey()
    expect(await rejectionOf(create(rejected))).toBe('MELMASTOON.TENANT.SUSPENDED')
    expect(await payments.capture(created)).toMatchObject({ status: 'captured' })
    expect(await payments.refund(created, 100)).toMatchObject({
      intent: { status: 'partially_refunded' },
    })
    await tenants.reactivate({ params, body: {} }, own())
    expect(await create()).toMatchObject({ status: 'authorized' })
    // A delayed copy of the rejected request creates nothing after the hotel's return.
    expect(await rejectionOf(create(rejected))).toBe('MELMASTOON.TENANT.SUSPENDED')
    expect(await rejectionOf(payments.byKey(rejected))).toBe('MELMASTOON.PAYMENT.INTENT_NOT_FOUND')
  })
})

describe('cash and phones', () => {
  it('waits for cash without expiry, and records it once', async () => {
    const { returnUrl: _, ...body } = cardBody({ method: 'cash_on_arrival' })
    const intent = await payments.create(body)
    expect(intent).toMatchObject({ status: 'pending_cash', nextAction: null, expiresAt: null })
    expect(await payments.receiveCash(intent)).toMatchObject({
      status: 'captured',
      capturedAmount: body.amount,
    })
    expect(await rejectionOf(payments.receiveCash(intent))).toBe(`${PAYMENT}.ILLEGAL_TRANSITION`)
    expect(await eventsOf(intent)).toMatchObject([{ subject: 'captured' }])
  })

  it('waits for the phone of the payer, which responds automatically', async () => {
    const { returnUrl: _, ...body } = cardBody({ method: 'mobile_money' })
    const approved = await payments.create({ ...body, phoneRef: 'phone_ok' })
    const rejected = await payments.create({ ...body, phoneRef: 'phone_decline' })
    expect(approved).toMatchObject({ status: 'processing', nextAction: { kind: 'wait' } })
    await expect
      .poll(() => payments.get(approved), { timeout: 6_000 })
      .toMatchObject({
        status: 'captured',
        version: 2,
      })
    await expect
      .poll(() => payments.get(rejected), { timeout: 3_000 })
      .toMatchObject({
        status: 'failed',
        declineCode: 'refused_by_payer',
      })
  })

  it('lists the methods of the hotel, and rejects others', async () => {
    expect(await payments.methods()).toEqual([
      {
        method: 'card',
        provider: 'adyen-test',
        redirects: true,
        captureModes: ['automatic', 'manual'],
      },
      {
        method: 'cash_on_arrival',
        provider: 'cash',
        redirects: false,
        captureModes: ['automatic'],
      },
      {
        method: 'mobile_money',
        provider: 'hesabpay-test',
        redirects: false,
        captureModes: ['automatic'],
      },
    ])
    const cashOnly = paymentClientOf(sandbox.url, await openHotel(sandbox.url, ['cash_on_arrival']))
    expect(await cashOnly.methods()).toMatchObject([{ method: 'cash_on_arrival' }])
    const rejection = await rejectionOf(cashOnly.create(cardBody()))
    expect(rejection).toBe(`${PAYMENT}.METHOD_NOT_OFFERED`)
    const unpaid = paymentClientOf(sandbox.url, await openHotel(sandbox.url, []))
    expect(await unpaid.methods()).toEqual([])
    expect(await rejectionOf(unpaid.create(cardBody()))).toBe(`${PAYMENT}.METHOD_NOT_OFFERED`)
    const unknownTenant = paymentClientOf(sandbox.url, newId('tnt'))
    expect(await rejectionOf(unknownTenant.methods())).toBe('MELMASTOON.TENANT.NOT_FOUND')
    expect(await rejectionOf(unknownTenant.create(cardBody()))).toBe('MELMASTOON.TENANT.NOT_FOUND')
  })
})

describe('refunds and cancellation', () => {
  it('refunds in parts, never more than was captured', async () => {
    const intent = await payments.create(cardBody({ cardToken: 'tok_ok', amount: money(1_000) }))
    const first = await payments.refund(intent, 300)
    expect(first).toMatchObject({
      refund: { amount: money(300), reasonCode: 'guest_request' },
      intent: { status: 'partially_refunded', refundedAmount: money(300), version: 3 },
    })
    expect(await rejectionOf(payments.refund(intent, 701))).toBe(`${PAYMENT}.REFUND_TOO_LARGE`)
    expect((await payments.refund(intent, 700)).intent).toMatchObject({
      status: 'refunded',
      refundedAmount: money(1_000),
    })
    expect(await rejectionOf(payments.refund(intent, 1))).toBe(`${PAYMENT}.ILLEGAL_TRANSITION`)
    const refunds = await payments.refunds(intent)
    expect(refunds.map(({ amount }) => amount)).toEqual([money(300), money(700)])
    expect(refunds[0]).toEqual(first.refund)
    expect((await eventsOf(intent)).slice(1)).toMatchObject([
      { subject: 'refunded', status: 'partially_refunded', amount: money(300) },
      { subject: 'refunded', status: 'refunded', amount: money(700) },
    ])
  })

  it('cancels only payments that were not captured', async () => {
    const { returnUrl: _, ...plain } = cardBody()
    const waiting = [
      await payments.create(cardBody()),
      await payments.create(cardBody({ cardToken: 'tok_ok', captureMode: 'manual' })),
      await payments.create({ ...plain, method: 'cash_on_arrival' }),
      await payments.create({ ...plain, method: 'mobile_money', phoneRef: 'phone_silent' }),
    ]
    for (const intent of waiting) {
      expect(await payments.cancel(intent)).toMatchObject({
        status: 'cancelled',
        declineCode: 'guest_left',
        nextAction: null,
        capturedAmount: money(0),
      })
      expect(await rejectionOf(payments.cancel(intent))).toBe(`${PAYMENT}.ILLEGAL_TRANSITION`)
      expect((await eventsOf(intent)).at(-1)).toMatchObject({
        subject: 'failed',
        status: 'cancelled',
      })
    }
    const paid = await payments.create(cardBody({ cardToken: 'tok_ok' }))
    expect(await rejectionOf(payments.cancel(paid))).toBe(`${PAYMENT}.ILLEGAL_TRANSITION`)
  })
})

describe('rejects', () => {
  it.each([
    ['nothing', '0'],
    ['a negative amount', '-10000'],
    ['a fraction of a minor unit', '12345'],
    ['an amount out of range', '1000000000000000001'],
  ])('%s as an amount', async (_what, amountMicro) => {
    const amount = { amountMicro, currency: 'AFN' as const }
    expect(await rejectionOf(payments.create(cardBody({ amount })))).toBe(
      `${PAYMENT}.AMOUNT_INVALID`,
    )
  })

  it('amounts in another currency, and captures above the authorization', async () => {
    const intent = await payments.create(cardBody({ cardToken: 'tok_ok', captureMode: 'manual' }))
    const key = { tenantId, idempotencyKey: newKey() }
    const params = { paymentIntentId: intent.paymentIntentId }
    const euros = { params, body: { amount: money(1, 'EUR') } }
    expect(await rejectionOf(payments.client.captureIntent(euros, key))).toBe(
      `${PAYMENT}.AMOUNT_INVALID`,
    )
    expect(await rejectionOf(payments.capture(intent, 123_401))).toBe(`${PAYMENT}.AMOUNT_INVALID`)
    await payments.capture(intent)
    const refund = { params, body: { amount: money(1, 'EUR'), reasonCode: 'x' } }
    const again = { tenantId, idempotencyKey: newKey() }
    expect(await rejectionOf(payments.client.createRefund(refund, again))).toBe(
      `${PAYMENT}.AMOUNT_INVALID`,
    )
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['a card number', { cardToken: '4242424242424242' }, '/cardToken'],
    ['an unknown token', { cardToken: 'tok_unheard_of' }, '/cardToken'],
    ['a phone for a card', { phoneRef: 'phone_ok' }, '/phoneRef'],
    ['a phone number', { method: 'mobile_money', phoneRef: '+93700000000' }, '/phoneRef'],
    ['mobile money without a phone', { method: 'mobile_money' }, '/phoneRef'],
    ['an unknown phone', { method: 'mobile_money', phoneRef: 'phone_x' }, '/phoneRef'],
    [
      'cash with manual capture',
      { method: 'cash_on_arrival', captureMode: 'manual' },
      '/captureMode',
    ],
    ['a card without a return URL', { returnUrl: undefined }, '/returnUrl'],
    ['a return URL without TLS', { returnUrl: 'http://hotel.example/' }, '/returnUrl'],
    ['a script as return URL', { returnUrl: 'javascript:alert(1)' }, '/returnUrl'],
    ['credentials in the return URL', { returnUrl: 'https://a:b@hotel.example/' }, '/returnUrl'],
    ['a return URL that hides its host', { returnUrl: 'https://a\\@b.example/' }, '/returnUrl'],
    ['a policy in the host', { returnUrl: 'https://a;script-src/' }, '/returnUrl'],
    ['an invalid port', { returnUrl: 'https://hotel.example:99999/' }, '/returnUrl'],
    ['a very long return URL', { returnUrl: `https://h.example/${'x'.repeat(500)}` }, '/returnUrl'],
    ['markup as a reference', { draftRef: '<b>' }, '/draftRef'],
    ['an unknown member', { guestName: 'Zarghona' }, '/guestName'],
    ['an unknown currency', { amount: { amountMicro: '10000', currency: 'ZZZ' } }, '/amount'],
  ])('%s', async (_what, change, pointer) => {
    const { status, body } = await post('', { json: { ...cardBody(), ...change } })
    expect({ status, code: body['code'] }).toEqual({
      status: 400,
      code: 'MELMASTOON.GENERAL.VALIDATION_FAILED',
    })
    const errors = body['errors'] as { pointer: string }[]
    expect(errors.some((error) => error.pointer.startsWith(pointer))).toBe(true)
  })

  it('calls without a tenant, a key or credentials', async () => {
    const headers = serviceHeaders()
    const json = cardBody()
    const code = async (options: SendOptions) => (await post('', { json, ...options })).body['code']
    expect(await code({ headers })).toBe('MELMASTOON.TENANT.CONTEXT_REQUIRED')
    expect(await code({ headers: { 'x-tenant-id': tenantId } })).toBe(
      'MELMASTOON.GENERAL.UNAUTHENTICATED',
    )
    const bare = await send(sandbox.url, 'POST', INTENTS, {
      json,
      headers: serviceHeaders(tenantId),
    })
    expect(bare.body['code']).toBe('MELMASTOON.IDEMPOTENCY.KEY_MISSING')
  })
})

describe('idempotency and isolation', () => {
  it('returns the same bytes for the same key, also for errors, and acts once', async () => {
    const intent = await payments.create(cardBody({ cardToken: 'tok_ok', amount: money(1_000) }))
    const refunds = `/${intent.paymentIntentId}/refunds`
    const cases: [string, unknown, number][] = [
      ['', cardBody({ cardToken: 'tok_ok' }), 201],
      ['', cardBody(), 201],
      [refunds, { amount: money(400), reasonCode: 'x' }, 201],
      [refunds, { amount: money(700), reasonCode: 'x' }, 422],
    ]
    for (const [path, json, status] of cases) {
      const key = newKey()
      const [first, second] = [await post(path, { json, key }), await post(path, { json, key })]
      expect(first.status).toBe(status)
      expect(second).toMatchObject({ status, text: first.text })
      expect(second.headers.get('idempotent-replayed')).toBe('true')
    }
    expect(await payments.get(intent)).toMatchObject({ refundedAmount: money(400), version: 3 })
    const reused = newKey()
    await post('', { json: cardBody(), key: reused })
    const other = await post('', { json: cardBody({ amount: money(1) }), key: reused })
    expect(other.body['code']).toBe('MELMASTOON.IDEMPOTENCY.KEY_REUSED')
  })

  it("does not find another tenant's payment in any operation", async () => {
    const key = newKey()
    const intent = await payments.create(
      cardBody({ cardToken: 'tok_ok', captureMode: 'manual' }),
      key,
    )
    const stranger = paymentClientOf(sandbox.url, await openHotel(sandbox.url))
    const tries = [
      () => stranger.get(intent),
      () => stranger.byKey(key),
      () => stranger.capture(intent),
      () => stranger.cancel(intent),
      () => stranger.receiveCash(intent),
      () => stranger.refund(intent, 1),
      () => stranger.refunds(intent),
    ]
    for (const attempt of tries) {
      expect(await rejectionOf(attempt())).toBe(`${PAYMENT}.INTENT_NOT_FOUND`)
    }
    expect(await payments.get(intent)).toEqual(intent)
  })

  it('protects every payment table with row-level security', async () => {
    const findings = await tenancyFindings(environment.adminUrl, contracts.schema)
    expect(findings.filter(({ object }) => object.includes('payment'))).toEqual([])
    expect(await tenantTablesOf(environment.adminUrl, contracts.schema)).toEqual(
      expect.arrayContaining(['payment_intent', 'payment_refund', 'payment_webhook']),
    )
  })

  it('writes events that comply with their contract, without personal data or secrets', async () => {
    const intent = await payments.create(cardBody())
    const secret = new URL(pagePath(intent), sandbox.url).searchParams.get('cs') ?? 'none'
    await payments.cancel(intent)
    const events = await drainEvents(environment, 'melmastoon.payment.%')
    expect(events.length).toBeGreaterThan(5)
    await expectValidEvents(environment.adminUrl, contracts)
    const observed = JSON.stringify([
      events,
      await environment.query('select body from sandbox.payment_webhook'),
    ])
    expect(observed).not.toMatch(/tok_|phone_ok|cs=|hotel\.example/)
    expect(observed).not.toContain(secret)
    const leaks = `card_token = '${secret}' or secret_hash = '${secret}'`
    expect(await environment.countRows('payment_intent', leaks)).toBe(0)
  })
})
