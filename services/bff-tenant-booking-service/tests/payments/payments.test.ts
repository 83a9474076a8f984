import { afterAll, beforeAll } from 'vitest'
import { describeAttempts } from './attempts.ts'
import { type Checkout, startCheckout } from './checkout.ts'
import { describePaymentRequests } from './payment-requests.ts'
import { describeTriggers } from './triggers.ts'
import { describeWaitingClaims } from './waiting-claims.ts'
import { describeWebhooks } from './webhooks.ts'

/** One sandbox and one service for all of them. */
let checkout: Checkout

beforeAll(async () => {
  checkout = await startCheckout()
})
afterAll(() => checkout[Symbol.asyncDispose]())

describeTriggers(() => checkout)
describeWebhooks(() => checkout)
describeAttempts(() => checkout)
describePaymentRequests(() => checkout)
describeWaitingClaims(() => checkout)
