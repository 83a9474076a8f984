import { type DedicatedEnvironment, dedicatedEnvironment, eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { service } from '../../src/service.ts'
import { type Checkout, pressOnPage, startCheckout, startPayment } from './checkout.ts'
import { expectConfirmed } from './expectations.ts'

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
    await environment.postgres.kill()
    const status = await checkout.notify(intentId)
    expect(status).toBeGreaterThanOrEqual(500)
    // The payment service repeats what was not accepted; here through its own deliveries.
    checkout.relay.forwardTo(checkout.service.url)
    await environment.postgres.restart()
    await eventually(
      async () => {
        expect(await checkout.notify(intentId)).toBe(200)
        await expectConfirmed(checkout, own)
      },
      { timeoutMs: 20_000, intervalMs: 200 },
    )
  })
})
