import { newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { OTHER_SLUG } from '../harness/start-booking.ts'
import { hotelOf } from '../harness/stays.ts'
import {
  type Checkout,
  comeBack,
  confirm,
  type GuestDraft,
  pressOnPage,
  startPayment,
} from './checkout.ts'
import { expectConfirmed, expectReleased } from './expectations.ts'
import { postWebhook, type SentWebhook, sign } from './webhook-relay.ts'

let checkout: Checkout

const inboxRows = () => checkout.environment.countRows('inbox')

async function paidByCard(): Promise<GuestDraft> {
  const own = await checkout.begin()
  await pressOnPage(checkout.sandbox.url, await startPayment(own, 'card'))
  return own
}

/** The webhook that the sandbox sent, and that did not arrive. */
async function webhookOf(own: GuestDraft, status: string): Promise<SentWebhook> {
  const intentId = await checkout.intentIdOf(own.draftId)
  return await eventually(() => {
    const found = checkout.relay.of(intentId).find(({ data }) => data.intent.status === status)
    if (found === undefined) throw new Error(`no webhook ${status}`)
    return found
  })
}

const post = (raw: string, signature?: string) =>
  postWebhook(checkout.service.url, raw, signature).then(({ status }) => status)

export function describeWebhooks(shared: () => Checkout): void {
  beforeAll(() => {
    checkout = shared()
  })

  function otherMac(signature: string): string {
    return signature.replace(/v1=(.)/, (_, digit) => `v1=${digit === '0' ? '1' : '0'}`)
  }

  describe('webhooks of the payment service', () => {
    it('the sandbox delivers to the running service', async () => {
      checkout.relay.forwardTo(checkout.service.url)
      const own = await paidByCard()
      await eventually(() => expectConfirmed(checkout, own))
      checkout.relay.forwardTo(null)
    })

    it('PAY-12 a payment that was refunded since is not confirmed', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'mobile_money')
      const intentId = await checkout.intentIdOf(own.draftId)
      const captured = await checkout.approve(intentId)
      expect(captured.status).toBe('captured')
      const { raw } = await webhookOf(own, 'captured')
      await checkout.refund(intentId, captured.amount)
      expect(await post(raw)).toBe(200)
      await eventually(() => expectReleased(checkout, own, { reason: 'cancelled' }))
    })

    it('PAY-14 a hundred deliveries of one webhook are one row and one stay', async () => {
      const own = await paidByCard()
      const { raw, id } = await webhookOf(own, 'authorized')
      const statuses = await Promise.all(Array.from({ length: 100 }, () => post(raw)))
      expect(new Set(statuses)).toEqual(new Set([200]))
      expect(await checkout.environment.countRows('inbox', `message_id = '${id}'`)).toBe(1)
      await eventually(() => expectConfirmed(checkout, own))
    })

    it('PAY-15 any changed byte is rejected without a row', async () => {
      const own = await paidByCard()
      const { raw } = await webhookOf(own, 'authorized')
      const before = await inboxRows()
      const bytes = Buffer.from(raw)
      const signature = sign(raw)
      const changed = Array.from({ length: 40 }, (_, index) => {
        const copy = Buffer.from(bytes)
        const at = Math.floor((index * (bytes.length - 1)) / 39)
        copy[at] = (copy[at] ?? 0) ^ 1
        return copy.toString('latin1')
      })
      const statuses = await Promise.all(changed.map((body) => post(body, signature)))
      expect(new Set(statuses)).toEqual(new Set([401]))
      const old = sign(raw, new Date(Date.now() - 6 * 60_000))
      expect(await post(raw, old)).toBe(401)
      expect(await post(raw, '')).toBe(401)
      expect(await post(raw, otherMac(signature))).toBe(401)
      expect(await inboxRows()).toBe(before)
      expect((await checkout.stored(own.draftId)).decision).toBeNull()
      // The control: the same bytes with their own signature are accepted.
      expect(await post(raw, signature)).toBe(200)
      await eventually(() => expectConfirmed(checkout, own))
    })

    it("PAY-16 a webhook of one tenant has no effect on another tenant's booking", async () => {
      const own = await paidByCard()
      const { raw } = await webhookOf(own, 'authorized')
      const { tenantId } = await hotelOf(checkout, OTHER_SLUG)
      const foreign = JSON.stringify({ ...(JSON.parse(raw) as object), id: newId('whk'), tenantId })
      expect(await post(foreign)).toBe(200)
      await checkout.service.ctx.background[Symbol.asyncDispose]()
      const { state, decision, attempts } = await checkout.stored(own.draftId)
      expect({ state, decision }).toEqual({ state: 'paying', decision: null })
      expect(attempts[0]).toMatchObject({ status: 'open' })
      await confirm(own)
      await expectConfirmed(checkout, own)
    })

    it('PAY-17 an unknown payment is accepted without effect', async () => {
      const own = await paidByCard()
      const { raw, data } = await webhookOf(own, 'authorized')
      const intent = { ...data.intent, paymentIntentId: newId('pyi'), draftRef: newId('bdr') }
      const unknown = { ...(JSON.parse(raw) as object), id: newId('whk'), data: { intent } }
      expect(await post(JSON.stringify(unknown))).toBe(200)
      expect(await post(JSON.stringify({ unrelated: true }))).toBe(200)
      expect((await checkout.stored(own.draftId)).decision).toBeNull()
    })

    it('PAY-18 when every webhook is lost, the poller settles', async () => {
      const own = await checkout.begin()
      await startPayment(own, 'mobile_money')
      await checkout.approve(await checkout.intentIdOf(own.draftId))
      await checkout.poll(own.draftId)
      await expectConfirmed(checkout, own)
      const messages = checkout.relay.of(await checkout.intentIdOf(own.draftId)).map(({ id }) => id)
      const received = await checkout.environment.countRows(
        'inbox',
        `message_id = any('{${messages.join(',')}}')`,
      )
      expect(received).toBe(0)
    })

    it('PAY-19 a webhook after the end changes nothing', async () => {
      const own = await paidByCard()
      const { raw } = await webhookOf(own, 'authorized')
      await comeBack(own)
      const before = await expectConfirmed(checkout, own)
      const late = await webhookOf(own, 'captured')
      // Signed again, as a provider does that repeats it after hours.
      for (const body of [raw, late.raw, late.raw]) expect(await post(body)).toBe(200)
      await checkout.service.ctx.background[Symbol.asyncDispose]()
      const after = await expectConfirmed(checkout, own)
      expect({ ...after, hold: null }).toEqual({ ...before, hold: null })
      const { outcome, attempts } = await checkout.stored(own.draftId)
      expect({ outcome, count: attempts.length }).toEqual({ outcome: 'confirmed', count: 1 })
    })

    it('PAY-44 the failure of an older attempt after the success changes nothing', async () => {
      const own = await checkout.begin()
      const declined = await startPayment(own, 'card')
      await pressOnPage(checkout.sandbox.url, declined, { action: 'decline' })
      const { raw } = await webhookOf(own, 'failed')
      await comeBack(own)
      await pressOnPage(checkout.sandbox.url, await startPayment(own, 'card'))
      await comeBack(own)
      const before = await expectConfirmed(checkout, own)
      expect(await post(raw)).toBe(200)
      await checkout.service.ctx.background[Symbol.asyncDispose]()
      const after = await expectConfirmed(checkout, own)
      expect({ ...after, hold: null }).toEqual({ ...before, hold: null })
    })
  })
}
