import { createDeadline } from '@melmastoon/chassis/clock'
import { newTrace } from '@melmastoon/chassis/telemetry'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { newId } from '@melmastoon/domain'
import { afterAll, describe, expect, it } from 'vitest'
import type { Draft, Terms } from './draft.ts'
import { recheckPrice } from './recheck-price.ts'

const NOW_MS = Date.parse('2026-03-01T10:00:00.000Z')
const digest = (text: string) => `sha256:${text.repeat(64)}`

function termsWith(over: Partial<Terms> = {}): Terms {
  return {
    quoteId: newId('qte'),
    digest: digest('a'),
    displayTotal: null,
    promoCode: null,
    quoteExpiresAt: '2026-03-01T10:30:00.000Z',
    ...over,
  } as Terms
}

function draftWith(over: Partial<Draft> = {}): Draft {
  const tenantId = newId('tnt')
  const origin = { currency: 'USD' }
  return { tenantId, terms: termsWith(), changedTerms: null, origin, ...over } as Draft
}

const rejection = (status: number, code: string) =>
  new UpstreamRejection('pricing', status, { code: `MELMASTOON.${code}` })

interface Script {
  readonly recheck: object | Error
  readonly quotes?: readonly (object | Error)[]
}

/** A pricing service that responds as the test says, and the keys it received. */
function pricing({ recheck, quotes = [] }: Script) {
  const keys: string[] = []
  const bodies: object[] = []
  const respond = (value: object | Error | undefined) =>
    value instanceof Error ? Promise.reject(value) : Promise.resolve(value)
  const client = {
    recheckQuote: () => respond(recheck),
    createQuote: (input: { body: object }, options: { idempotencyKey: string }) => {
      keys.push(options.idempotencyKey)
      bodies.push(input.body)
      return respond(quotes[keys.length - 1])
    },
  }
  const clock = { nowMs: () => NOW_MS, now: () => new Date(NOW_MS) }
  return { deps: { clock, upstreams: { pricing: client } } as never, keys, bodies }
}

const deadline = createDeadline(60_000)
afterAll(() => deadline[Symbol.dispose]())
const call = { deadline, trace: newTrace(), upstreamKey: (step: string) => `key of ${step}` }

describe('the comparison of the agreed terms with the present offer', () => {
  it('is matched without a new quote', async () => {
    const { deps, keys } = pricing({ recheck: { outcome: 'matched' } })
    expect(await recheckPrice(deps, draftWith(), call)).toEqual({ kind: 'matched' })
    expect(keys).toEqual([])
  })

  it.each([
    ['the offer is gone', { outcome: 'gone' }],
    ['the quote does not exist', rejection(404, 'PRICING.QUOTE_NOT_FOUND')],
  ])('is gone when %s', async (_why, recheck) => {
    const { deps } = pricing({ recheck })
    expect(await recheckPrice(deps, draftWith(), call)).toEqual({ kind: 'gone' })
  })

  it.each(['NO_RATE', 'RESTRICTED', 'PROMOTION_REFUSED', 'STAY_INVALID'])(
    'is gone when the new quote is rejected with %s',
    async (code) => {
      const { deps } = pricing({
        recheck: { outcome: 'changed', currentDigest: digest('b') },
        quotes: [rejection(409, `PRICING.${code}`)],
      })
      expect(await recheckPrice(deps, draftWith(), call)).toEqual({ kind: 'gone' })
    },
  )

  it('is changed, with a quote for the new terms under a derived key', async () => {
    const quote = { quoteId: newId('qte'), digest: digest('b'), total: {}, rooms: [] }
    const { deps, keys } = pricing({
      recheck: { outcome: 'changed', currentDigest: digest('b') },
      quotes: [quote],
    })
    const check = await recheckPrice(deps, draftWith(), call)
    expect(check).toMatchObject({ kind: 'changed', terms: { quoteId: quote.quoteId } })
    expect(keys).toEqual([`key of requote:${digest('b')}`])
  })

  it('does not quote the pending terms again, unless their quote has expired', async () => {
    const recheck = { outcome: 'changed', currentDigest: digest('b') }
    const changedTerms = termsWith({ digest: digest('b') })
    const { deps, keys } = pricing({ recheck })
    const pending = await recheckPrice(deps, draftWith({ changedTerms }), call)
    expect(pending).toEqual({ kind: 'changed', terms: changedTerms })
    expect(keys).toEqual([])
    const expired = termsWith({
      digest: digest('b'),
      quoteExpiresAt: '2026-03-01T09:59:59.000Z' as Terms['quoteExpiresAt'],
    })
    const renewed = pricing({ recheck, quotes: [{ quoteId: newId('qte'), digest: digest('b') }] })
    await recheckPrice(renewed.deps, draftWith({ changedTerms: expired }), call)
    expect(renewed.keys).toEqual([`key of requote:${digest('b')}`])
  })

  it('is matched when the price has changed back before the new quote', async () => {
    const { deps } = pricing({
      recheck: { outcome: 'changed', currentDigest: digest('b') },
      quotes: [{ digest: digest('a') }],
    })
    expect(await recheckPrice(deps, draftWith(), call)).toEqual({ kind: 'matched' })
  })

  it("quotes in the hotel's currency while there are no exchange rates", async () => {
    const terms = termsWith({ displayTotal: { amountMicro: '1000000', currency: 'USD' } })
    const { deps, keys, bodies } = pricing({
      recheck: { outcome: 'changed', currentDigest: digest('b') },
      quotes: [rejection(409, 'PRICING.FX_SNAPSHOT_STALE'), { digest: digest('b') }],
    })
    expect((await recheckPrice(deps, draftWith({ terms }), call)).kind).toBe('changed')
    expect(keys).toEqual([
      `key of requote:${digest('b')}`,
      `key of requote-hotel-currency:${digest('b')}`,
    ])
    expect(bodies.map((body) => 'displayCurrency' in body)).toEqual([true, false])
  })

  it('of a suspended hotel is an error of the site', async () => {
    const { deps } = pricing({
      recheck: { outcome: 'changed', currentDigest: digest('b') },
      quotes: [rejection(403, 'TENANT.SUSPENDED')],
    })
    await expect(recheckPrice(deps, draftWith(), call)).rejects.toMatchObject({
      code: 'MELMASTOON.BFF.TENANT.SITE_SUSPENDED',
    })
  })
})
