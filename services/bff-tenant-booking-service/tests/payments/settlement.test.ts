import { afterAll, beforeAll } from 'vitest'
import { type Checkout, startCheckout } from './checkout.ts'
import { describeEnds } from './ends.ts'
import { describeLateMoney } from './late.ts'

/** One sandbox and one service for all of them. */
let checkout: Checkout

beforeAll(async () => {
  checkout = await startCheckout()
})
afterAll(() => checkout[Symbol.asyncDispose]())

describeLateMoney(() => checkout)
describeEnds(() => checkout)
