import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FaultBody, whileBroken } from '../harness/stays.ts'
import {
  type Checkout,
  confirm,
  readDraft,
  requestPayment,
  startCheckout,
  startPayment,
} from '../payments/checkout.ts'
import { expectConfirmed } from '../payments/expectations.ts'
import {
  authorizedCard,
  expectContinued,
  expectDegraded,
  FAULTS,
  holdStep,
  keyed,
  type Step,
} from './steps.ts'

const SETTLE_MS = 8_000

let checkout: Checkout
beforeAll(async () => {
  checkout = await startCheckout()
})
afterAll(() => checkout[Symbol.asyncDispose]())

async function extendStep(): Promise<Step> {
  const own = await checkout.begin()
  return {
    name: 'extend',
    deadlineMs: 5_000,
    send: keyed(own, 'extend'),
    whileBroken: 'problem',
    afterwards: 200,
    verify: async ({ body }) => expect(body['extensionsLeft']).toBe(9),
  }
}

/** With cash, the reservation service is the only one that confirms. */
async function confirmCashStep(): Promise<Step> {
  const own = await checkout.begin()
  await startPayment(own, 'cash_on_arrival')
  return {
    name: 'confirm with cash',
    deadlineMs: SETTLE_MS,
    send: keyed(own, 'confirm'),
    whileBroken: 202,
    afterwards: 200,
    verify: async () => void (await expectConfirmed(checkout, own)),
  }
}

/** The room is released later; the booking of the guest ends at once. */
async function deleteStep(): Promise<Step> {
  const own = await checkout.begin()
  const key = newId('req')
  return {
    name: 'delete',
    deadlineMs: SETTLE_MS,
    send: () => own.guest.delete(`/draft/${own.draftId}`, { key }),
    whileBroken: 200,
    afterwards: 200,
    verify: async ({ headers }) => {
      expect(headers.get('idempotent-replayed')).toBe('true')
      expect((await readDraft(own)).state).toBe('abandoned')
    },
  }
}

async function intentStep(): Promise<Step> {
  const own = await checkout.begin()
  return {
    name: 'payment-intent',
    deadlineMs: 6_000,
    send: keyed(own, 'payment-intent', { method: 'card' }),
    whileBroken: 'problem',
    afterwards: 201,
    async verify() {
      const intents = await checkout.sandbox.environment.query(
        'select from sandbox.payment_intent where draft_ref = $1',
        [own.draftId],
      )
      expect([intents.length, (await checkout.stored(own.draftId)).attempts.length]).toEqual([1, 1])
    },
  }
}

async function settleStep(action: 'return' | 'confirm'): Promise<Step> {
  const own = await authorizedCard(checkout)
  return {
    name: action,
    deadlineMs: SETTLE_MS,
    send: keyed(own, action),
    whileBroken: 202,
    afterwards: 200,
    verify: async () => void (await expectConfirmed(checkout, own)),
  }
}

async function giveUpStep(): Promise<Step> {
  const own = await checkout.begin()
  await startPayment(own, 'card')
  const key = newId('req')
  return {
    name: 'delete with an open payment',
    deadlineMs: SETTLE_MS,
    send: () => own.guest.delete(`/draft/${own.draftId}`, { key }),
    whileBroken: 202,
    afterwards: 200,
    async verify() {
      expect((await readDraft(own)).state).toBe('abandoned')
      expect((await checkout.intentOf(own.draftId)).status).toBe('cancelled')
    },
  }
}

/** Routes that do not need the broken upstream. */
async function expectOthersIntact(): Promise<void> {
  const guest = checkout.site.browser()
  const responses = await Promise.all([guest.get('/policies'), guest.get('/bootstrap')])
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
}

async function expectDegradation(
  upstream: 'reservation' | 'payment',
  fault: FaultBody,
  steps: readonly Step[],
): Promise<void> {
  const responses = await whileBroken(checkout, [upstream, fault], async () => {
    const [sent] = await Promise.all([
      Promise.all(steps.map((step) => step.send())),
      expectOthersIntact(),
    ])
    return sent
  })
  for (const [at, response] of responses.entries()) {
    const step = steps[at]
    if (step !== undefined) expectDegraded(step, response, fault)
  }
  await Promise.all(steps.map(expectContinued))
}

describe.each(FAULTS)('while an upstream is $kind', (fault) => {
  it('T6 T8 reservation: hold, extend, confirm and delete are rejected or continue later', async () => {
    const steps = [holdStep(checkout), extendStep(), confirmCashStep(), deleteStep()]
    await expectDegradation('reservation', fault, await Promise.all(steps))
  })

  it('T8 payment: intent, return, confirm and delete are rejected or continue later', async () => {
    const steps = [intentStep(), settleStep('return'), settleStep('confirm'), giveUpStep()]
    await expectDegradation('payment', fault, await Promise.all(steps))
  })
})

describe('an upstream that a step does not depend on', () => {
  it.each(FAULTS)('pricing $kind: the hold is extended, the price is unknown', async (fault) => {
    const own = await checkout.begin()
    const { status, body, durationMs } = await whileBroken(checkout, ['pricing', fault], () =>
      keyed(own, 'extend')(),
    )
    expect([status, body['extensionsLeft'], body['priceCheck']]).toEqual([
      200,
      9,
      { outcome: 'unknown' },
    ])
    expect(durationMs).toBeLessThan(5_000)
  })

  it('T19 a slow re-check stops the payment before money is requested, and a retry continues', async () => {
    const own = await checkout.begin()
    const key = newId('req')
    const slow = { kind: 'slow', delayMs: 9_000, operation: 'recheckQuote' } as const
    const stopped = await whileBroken(checkout, ['pricing', slow], () =>
      requestPayment(own, 'card', { key }),
    )
    expect([stopped.status, stopped.body['code']]).toEqual([504, 'MELMASTOON.BFF.UPSTREAM_TIMEOUT'])
    expect((await checkout.stored(own.draftId)).attempts).toEqual([])
    await expect.poll(async () => (await requestPayment(own, 'card', { key })).status).toBe(201)
  })

  it.each(FAULTS)('theme $kind: a guest books to the end', async (fault) => {
    await whileBroken(checkout, ['theme', fault], async () => {
      const own = await checkout.begin()
      await startPayment(own, 'cash_on_arrival')
      expect((await confirm(own)).status).toBe(200)
      await expectConfirmed(checkout, own)
    })
  })
})
