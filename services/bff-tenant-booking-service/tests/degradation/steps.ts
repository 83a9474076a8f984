import { idToUuid, newId } from '@melmastoon/domain'
import { eventually, type TestResponse } from '@melmastoon/testkit'
import { expect } from 'vitest'
import { hold, quoteOf } from '../harness/booking-flow.ts'
import type { FaultBody } from '../harness/stays.ts'
import { type Checkout, type GuestDraft, pressOnPage, startPayment } from '../payments/checkout.ts'

/** One request of the flow, with the same idempotency key every time it is sent. */
export interface Step {
  readonly name: string
  /** Of the route: no response may take longer. */
  readonly deadlineMs: number
  send(): Promise<TestResponse>
  /** The status while the upstream is broken; `problem`: the code of the fault. */
  readonly whileBroken: number | 'problem'
  /** The final status, as soon as the upstream responds again. */
  readonly afterwards: number
  /** Nothing was lost and nothing was done twice. */
  verify(response: TestResponse): Promise<void>
}

export const FAULTS: readonly FaultBody[] = [
  { kind: 'down' },
  { kind: 'slow', delayMs: 9_000 },
  { kind: 'hanging' },
  { kind: 'lying' },
]

const CODES: Readonly<Record<string, readonly [status: number, code: string]>> = {
  down: [503, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'],
  slow: [504, 'MELMASTOON.BFF.UPSTREAM_TIMEOUT'],
  hanging: [504, 'MELMASTOON.BFF.UPSTREAM_TIMEOUT'],
  lying: [502, 'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN'],
}

/** A draft with details; each has its own guest, so that all steps can be sent at once. */
export function keyed(own: GuestDraft, action: string, body: object = {}) {
  const key = newId('req')
  return () => own.guest.post(`/draft/${own.draftId}/${action}`, body, { key })
}

/** A card payment that the provider has authorized, of which the service does not know yet. */
export async function authorizedCard(checkout: Checkout): Promise<GuestDraft> {
  const own = await checkout.begin()
  await pressOnPage(checkout.sandbox.url, await startPayment(own, 'card'))
  return own
}

export async function holdStep(checkout: Checkout): Promise<Step> {
  const guest = await checkout.site.guest()
  const quote = await quoteOf(guest, checkout.hotel)
  const key = newId('req')
  return {
    name: 'hold',
    deadlineMs: 6_000,
    send: () => hold(guest, quote, { key }),
    whileBroken: 'problem',
    afterwards: 201,
    async verify({ body }) {
      const { environment, sandbox, desk } = checkout
      const sessionId = guest.sessionId
      const mine = `session_id = '${sessionId}'`
      expect(await environment.countRows('booking_draft', mine)).toBe(1)
      const { reservationId, status } = await desk.reservationOf(String(body['draftId']))
      expect(status).toBe('held')
      const held = await sandbox.environment.query(
        'select from sandbox.reservation_booking where quote_id = $1 and status = $2',
        [idToUuid(quote.quoteId), 'held'],
      )
      expect(held.length, reservationId).toBe(1)
    },
  }
}

/** The response while the upstream is broken, within the time limit of the route. */
export function expectDegraded(step: Step, response: TestResponse, { kind }: FaultBody): void {
  const { status, body, durationMs, headers } = response
  expect(durationMs, step.name).toBeLessThan(step.deadlineMs)
  if (step.whileBroken !== 'problem') {
    expect([step.name, status]).toEqual([step.name, step.whileBroken])
    if (status === 202) expect(headers.get('retry-after')).toBe('2')
    return
  }
  // After several failures the circuit breaker rejects at once.
  const expected = [CODES[kind], CODES['down']].map((pair) => JSON.stringify(pair))
  expect(expected, step.name).toContain(JSON.stringify([status, body['code']]))
  expect(Number(headers.get('retry-after')) > 0, step.name).toBe(body['retriable'])
}

/** The same request again, until the upstream has recovered. */
export async function expectContinued(step: Step): Promise<void> {
  const done = await eventually(async () => {
    const response = await step.send()
    if (response.status !== step.afterwards) {
      throw new Error(`${step.name}: ${response.status} ${response.text}`)
    }
    return response
  })
  await step.verify(done)
}
