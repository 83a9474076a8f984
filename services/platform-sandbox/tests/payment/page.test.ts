import { newId, type TenantId } from '@melmastoon/domain'
import type { Intent } from '@melmastoon/upstream-contracts/payment'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type RunningSandbox,
  sandboxEnvironment,
  send,
  startSandbox,
  type TestEnvironment,
} from '../start-sandbox.ts'
import {
  cardBody,
  openHotel,
  type PaymentClient,
  pagePath,
  paymentClientOf,
  press,
} from './payment-client.ts'

let environment: TestEnvironment
let sandbox: RunningSandbox
let tenantId: TenantId
let payments: PaymentClient

beforeAll(async () => {
  environment = await sandboxEnvironment({ HOLD_SECONDS: '1' })
  sandbox = await startSandbox(environment)
  tenantId = await openHotel(sandbox.url)
  payments = paymentClientOf(sandbox.url, tenantId)
})

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
})

const show = (path: string) => send(sandbox.url, 'GET', path)
const buttons = (text: string) =>
  [...text.matchAll(/name="action" value="(\w+)"/g)].map((m) => m[1])

/** Creates a payment and presses buttons one after the other; returns the last response. */
async function payerPresses(actions: readonly string[], more: Parameters<typeof cardBody>[0] = {}) {
  const intent = await payments.create(cardBody(more))
  const path = pagePath(intent)
  let response = await show(path)
  for (const action of actions) response = await press(sandbox.url, path, { action })
  return { intent, path, response, after: await payments.get(intent) }
}

function cameBack(response: { headers: Headers }, intent: Intent) {
  const target = new URL(response.headers.get('location') ?? '')
  const { redirect_status: status, ...rest } = Object.fromEntries(target.searchParams)
  expect(rest).toEqual({ step: 'pay', payment_intent: intent.paymentIntentId })
  expect(target.origin + target.pathname).toBe('https://hotel.example/back')
  return status
}

describe('what the page shows', () => {
  it.each([
    ['en', 'ltr', 'This is a test page'],
    ['ps-AF', 'rtl', 'دا د ازمایښت پاڼه ده'],
    ['fa-AF', 'rtl', 'این یک صفحهٔ آزمایشی است'],
  ])('in %s: the amount, a note and every choice, without a script', async (lang, dir, note) => {
    const path = pagePath(await payments.create(cardBody())).replace('lang=en', `lang=${lang}`)
    const { status, text, headers } = await show(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain(`<html lang="${lang}" dir="${dir}">`)
    expect(text).toContain(note)
    expect(buttons(text)).toEqual(['pay', 'decline', 'pay_and_stay', 'pay_late', 'leave'])
    expect(text.match(/<input type="radio" name="card"/g)).toHaveLength(5)
    expect(text.match(/<label>/g)).toHaveLength(6)
    expect(text).toMatch(/<fieldset><legend>.+<\/legend>/)
    expect(text).not.toMatch(/<script|<style|\son\w+=|style="/)
  })

  it('forbids scripts, frames and caching, and lets the form redirect to the hotel', async () => {
    const { headers } = await show(pagePath(await payments.create(cardBody())))
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self' https://hotel.example; " +
        "base-uri 'none'; frame-ancestors 'none'",
    )
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    const style = await show('/pay/style.css')
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
  })

  it('shows nothing without the secret of this payment', async () => {
    const [intent, other] = [await payments.create(cardBody()), await payments.create(cardBody())]
    const own = new URL(pagePath(intent), sandbox.url)
    const stolen = new URL(pagePath(other), sandbox.url).searchParams.get('cs') ?? ''
    const paths = [
      own.pathname,
      `${own.pathname}?cs=`,
      `${own.pathname}?cs=${stolen}`,
      `${own.pathname}?cs=${'A'.repeat(43)}`,
      `/pay/${await openHotel(sandbox.url)}/${intent.paymentIntentId}${own.search}`,
      `/pay/${tenantId}/${newId('pyi')}${own.search}`,
      `/pay/unknown/${intent.paymentIntentId}${own.search}`,
      `/pay/${tenantId}/../../etc${own.search}`,
    ]
    const responses = await Promise.all(paths.slice(0, -1).map(show))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([404]))
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect((await show(paths.at(-1) ?? '')).status).toBe(404)
    const pressed = await send(sandbox.url, 'POST', own.pathname, {
      form: { cs: stolen, action: 'pay' },
    })
    expect(pressed.status).toBe(404)
    expect(await payments.get(intent)).toEqual(intent)
  })

  it('escapes everything that a caller or a payer sent', async () => {
    const evil = '"><script>alert(1)</script>'
    const returnUrl = `https://hotel.example/${evil.replaceAll(' ', '')}?q=${evil}`
    const intent = await payments.create(cardBody({ returnUrl }))
    const path = pagePath(intent)
    const markup = encodeURIComponent(evil)
    const requested = await show(`${path.replace('lang=en', `lang=${markup}`)}&utm=${markup}`)
    expect(requested.status).toBe(200)
    const missed = await show(`${new URL(path, sandbox.url).pathname}?cs=${markup}`)
    const paid = await press(sandbox.url, path, { action: 'pay' })
    const shown = await show(path)
    expect(new URL(paid.headers.get('location') ?? '').host).toBe('hotel.example')
    expect(shown.text).toContain('class="button" href="https://hotel.example/')
    for (const { text } of [requested, missed, paid, shown]) {
      expect(text).not.toMatch(/<script|"><|alert\(1\)<\/script>/)
    }
  })
})

describe('what the payer presses', () => {
  it('pay: one capture and a redirect, also when repeated', async () => {
    const { intent, response, after, path } = await payerPresses(['pay', 'pay', 'decline', 'leave'])
    expect(response.status).toBe(303)
    expect(cameBack(response, intent)).toBe('succeeded')
    expect(after).toMatchObject({ status: 'captured', version: 2 })
    const { text } = await show(path)
    expect(buttons(text)).toEqual([])
    expect(text).toContain('<p role="status">Paid.</p>')
  })

  it('pay with manual capture: only authorized', async () => {
    const { intent, response, after } = await payerPresses(['pay'], { captureMode: 'manual' })
    expect(cameBack(response, intent)).toBe('succeeded')
    expect(after).toMatchObject({ status: 'authorized' })
  })

  it('decline: a redirect without a capture', async () => {
    const { intent, response, after } = await payerPresses(['decline', 'pay'])
    expect(cameBack(response, intent)).toBe('failed')
    expect(after).toMatchObject({ status: 'failed', declineCode: 'refused_by_payer', version: 2 })
  })

  it('pay with a card that is declined', async () => {
    const intent = await payments.create(cardBody())
    const form = { action: 'pay', card: 'tok_decline_lost_card' }
    const response = await press(sandbox.url, pagePath(intent), form)
    expect(cameBack(response, intent)).toBe('failed')
    expect(await payments.get(intent)).toMatchObject({ declineCode: 'lost_card' })
  })

  it('pay and stay: captured without a return', async () => {
    const { response, after, path } = await payerPresses(['pay_and_stay'])
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(path)
    expect(after).toMatchObject({ status: 'captured' })
  })

  it('leave: a redirect, and the payment stays open', async () => {
    const { intent, response, after, path } = await payerPresses(['leave'])
    expect(cameBack(response, intent)).toBe('abandoned')
    expect(after).toEqual(intent)
    expect(cameBack(await press(sandbox.url, path, { action: 'pay' }), intent)).toBe('succeeded')
  })

  it('pay late: processing, and paid after the hold has expired', async () => {
    const { intent, response, after } = await payerPresses(['pay_late'])
    expect(cameBack(response, intent)).toBe('processing')
    expect(after).toMatchObject({ status: 'processing', nextAction: { kind: 'wait' }, version: 2 })
    const startedMs = performance.now()
    await expect
      .poll(() => payments.get(intent), { timeout: 6_000 })
      .toMatchObject({
        status: 'captured',
        version: 3,
      })
    expect(performance.now() - startedMs).toBeGreaterThan(1_000)
  })

  it('the second step: paid only when it is completed', async () => {
    const chosen = await payments.create(cardBody())
    const given = await payments.create(cardBody({ cardToken: 'tok_3ds' }))
    const first = await press(sandbox.url, pagePath(chosen), { action: 'pay', card: 'tok_3ds' })
    expect(first.headers.get('location')).toBe(pagePath(chosen))
    for (const intent of [chosen, given]) {
      const path = pagePath(intent)
      expect(buttons((await show(path)).text)).toEqual(['verify', 'refuse', 'leave'])
      await press(sandbox.url, path, { action: 'pay', card: 'tok_ok' })
      expect(await payments.get(intent)).toEqual(intent)
      const passed = await press(sandbox.url, path, { action: 'verify' })
      expect(cameBack(passed, intent)).toBe('succeeded')
      expect(await payments.get(intent)).toMatchObject({ status: 'captured' })
    }
    const skipped = await payerPresses(['verify'])
    expect(skipped.after).toEqual(skipped.intent)
    const failed = await payerPresses(['refuse'], { cardToken: 'tok_3ds' })
    expect(failed.after).toMatchObject({ declineCode: 'authentication_failed' })
  })

  it.each([
    ['pay', { status: 'captured' }],
    ['decline', { status: 'failed', declineCode: 'refused_by_payer' }],
  ])('%s on the phone', async (action, expected) => {
    const { returnUrl: _, ...body } = cardBody({ method: 'mobile_money' })
    const intent = await payments.create({ ...body, phoneRef: 'phone_silent' })
    const { page } = sandbox.ctx.modules.payment
    const { paymentIntentId } = intent
    const url = new URL(page.urlOf({ tenantId, paymentIntentId, locale: 'ps-AF' }))
    const path = url.pathname + url.search
    expect(buttons((await show(path)).text)).toEqual(['pay', 'decline'])
    expect((await press(sandbox.url, path, { action })).headers.get('location')).toContain('/pay/')
    expect(await payments.get(intent)).toMatchObject(expected)
  })

  it('rejects forms of other sites, unknown buttons and oversized forms', async () => {
    const intent = await payments.create(cardBody())
    const page = new URL(pagePath(intent), sandbox.url)
    const cs = page.searchParams.get('cs') ?? ''
    const post = async (form: Record<string, string>, headers: Record<string, string> = {}) =>
      (await send(sandbox.url, 'POST', page.pathname, { form, headers })).body['code']
    expect(await post({ cs, action: 'pay' }, { 'sec-fetch-site': 'cross-site' })).toBe(
      'MELMASTOON.GENERAL.CROSS_SITE_REQUEST',
    )
    const invalid = 'MELMASTOON.GENERAL.VALIDATION_FAILED'
    expect(await post({ cs, action: 'refund' })).toBe(invalid)
    expect(await post({ cs, action: 'pay', card: '4242424242424242' })).toBe(invalid)
    expect(await post({ cs, action: 'pay', amount: '1' })).toBe(invalid)
    expect(await post({ cs, action: 'pay', lang: 'x'.repeat(9_000) })).toBe(
      'MELMASTOON.GENERAL.PAYLOAD_TOO_LARGE',
    )
    expect(await payments.get(intent)).toEqual(intent)
  })

  it('redirects to pages of this machine as well', async () => {
    const returnUrl = 'http://localhost:3000/back'
    const { response } = await payerPresses(['pay'], { returnUrl })
    expect(response.headers.get('location')).toMatch(
      /^http:\/\/localhost:3000\/back\?payment_intent=pyi_\w+&redirect_status=succeeded$/,
    )
  })
})
