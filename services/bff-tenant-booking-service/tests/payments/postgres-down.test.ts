import { type DedicatedEnvironment, dedicatedEnvironment, eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { service } from '../../src/service.ts'
import { type Checkout, pressOnPage, startCheckout, startPayment } from './checkout.ts'
import { expectConfirmed } from './expectations.ts'
import { postWebhook } from './webhook-relay.ts'

let environment: DedicatedEnvironment
let checkout: Checkout

beforeAll(async () => {
  environment = await dedicatedEnvironment(service)
  checkout = await startCheckout({ environment })
})
afterAll(() => checkout[Symbol.asyncDispose]())

describe('Postgres is down', () => {
  it('PAY-20 a webhook is not accepted, and its repetition settles', async () => {
    const own = await checkout.begin()
    await pressOnPage(checkout.sandbox.url, await startPayment(own, 'card'))
    const intentId = await checkout.intentIdOf(own.draftId)
    const { raw } = await eventually(() => {
      const found = checkout.relay.of(intentId).find(({ data }) => data.intent.version > 1)
      if (found === undefined) throw new Error('no webhook yet')
      return found
    })
    await environment.postgres.kill()
    const { status } = await postWebhook(checkout.service.url, raw)
    expect(status).toBeGreaterThanOrEqual(500)
    await environment.postgres.restart()
    // The payment service repeats the same message until it is accepted.
    await eventually(
      async () => expect((await postWebhook(checkout.service.url, raw)).status).toBe(200),
      { timeoutMs: 20_000, intervalMs: 200 },
    )
    await eventually(() => expectConfirmed(checkout, own), { timeoutMs: 20_000 })
  })
})
