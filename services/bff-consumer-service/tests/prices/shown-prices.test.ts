import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGuest } from '../harness/start-consumer.ts'
import { startWithSandbox } from '../harness/start-with-sandbox.ts'
import { type Audit, auditSearch, expectHolds, findCities, noCounts } from './audit.ts'
import { openPlatform } from './platform.ts'
import { choicesOf, randomNumbers } from './random-search.ts'

/** The short form of `shown-prices.faults.test.ts`. */
const SEARCHES = 12

let setup: Awaited<ReturnType<typeof startWithSandbox>>

beforeAll(async () => {
  setup = await startWithSandbox()
}, 120_000)
afterAll(() => setup[Symbol.asyncDispose]())

async function openAudit(seed: number): Promise<Audit> {
  const { url } = setup.service
  return {
    url,
    cookie: (await createGuest(url)).cookie,
    platform: openPlatform(setup.sandbox.url),
    choose: choicesOf(randomNumbers(seed)),
    cities: await findCities(url),
    quotesPerSearch: 3,
  }
}

it('C17 C18 C23 random searches: every price is a quote, every bookable offer can be held', async () => {
  const audit = await openAudit(11)
  const counts = noCounts()
  const offers = []
  for (let turn = 0; turn < SEARCHES; turn += 1) offers.push(await auditSearch(audit, counts))
  await expectHolds(audit, offers.flat().slice(0, 60), counts)
  for (const [name, count] of Object.entries(counts))
    expect([name, count > 0]).toEqual([name, true])
}, 60_000)

it('control: a price that differs by one minor unit, and an offer that cannot be held, are found', async () => {
  const audit = await openAudit(11)
  const { platform } = audit
  const quote: typeof platform.quote = async (offer) => {
    const quoted = await platform.quote(offer)
    if (typeof quoted === 'string') return quoted
    const { amountMicro, currency } = quoted.displayTotal ?? quoted.total
    const more = String(BigInt(amountMicro) + 10_000n)
    return { ...quoted, displayTotal: { amountMicro: more, currency } }
  }
  const priced = { ...audit, platform: { ...platform, quote } }
  await expect(auditUntilFailure(priced)).rejects.toThrow('to deeply equal')
  const offers = await auditSearch(audit, noCounts())
  const soldOut = { platform: { ...platform, canHold: async () => false } }
  await expect(expectHolds(soldOut, offers, noCounts())).rejects.toThrow('to deeply equal')
}, 60_000)

async function auditUntilFailure(audit: Audit): Promise<void> {
  for (let turn = 0; turn < SEARCHES; turn += 1) await auditSearch(audit, noCounts())
}
