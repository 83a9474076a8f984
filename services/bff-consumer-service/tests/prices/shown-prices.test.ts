import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWithSandbox } from '../harness/start-with-sandbox.ts'
import { auditSearch, expectHolds, findCities, noCounts } from './audit.ts'
import { openPlatform } from './platform.ts'
import { choicesOf, randomNumbers } from './random-search.ts'

/** The short form of `shown-prices.faults.test.ts`. */
const SEARCHES = 12

let setup: Awaited<ReturnType<typeof startWithSandbox>>

beforeAll(async () => {
  setup = await startWithSandbox()
}, 120_000)
afterAll(() => setup[Symbol.asyncDispose]())

it('C17 C18 random searches: every price is a quote, and every bookable offer can be held', async () => {
  const { url } = setup.service
  const platform = openPlatform(setup.sandbox.url)
  const choose = choicesOf(randomNumbers(11))
  const audit = { url, platform, choose, cities: await findCities(url), quotesPerSearch: 3 }
  const counts = noCounts()
  const offers = []
  for (let turn = 0; turn < SEARCHES; turn += 1) offers.push(await auditSearch(audit, counts))
  await expectHolds(audit, offers.flat().slice(0, 60), counts)
  for (const [name, count] of Object.entries(counts))
    expect([name, count > 0]).toEqual([name, true])
}, 60_000)
