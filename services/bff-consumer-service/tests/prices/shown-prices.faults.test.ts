import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGuest } from '../harness/start-consumer.ts'
import { startWithSandbox } from '../harness/start-with-sandbox.ts'
import { auditSearch, expectHolds, findCities, noCounts } from './audit.ts'
import { openPlatform } from './platform.ts'
import { choicesOf, randomNumbers } from './random-search.ts'

const SEARCHES = 300

let setup: Awaited<ReturnType<typeof startWithSandbox>>

beforeAll(async () => {
  setup = await startWithSandbox()
}, 300_000)
afterAll(() => setup[Symbol.asyncDispose]())

it('C17 C18 300 random searches: every price is a quote, and every bookable offer can be held', async () => {
  const { url } = setup.service
  const platform = openPlatform(setup.sandbox.url)
  const seed = Date.now() % 1_000_000
  process.stdout.write(`seed ${seed}\n`)
  const choose = choicesOf(randomNumbers(seed))
  const { cookie } = await createGuest(url)
  const cities = await findCities(url)
  const audit = { url, cookie, platform, choose, cities, quotesPerSearch: 50 }
  const counts = noCounts()
  const offers = []
  for (let turn = 0; turn < SEARCHES; turn += 1) offers.push(await auditSearch(audit, counts))
  await expectHolds(audit, offers.flat(), counts)
  process.stdout.write(`${JSON.stringify(counts)}\n`)
  expect(counts.quotes).toBeGreaterThan(SEARCHES)
  expect(counts.unbookable).toBeGreaterThan(0)
}, 1_800_000)
