import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TenantId } from '@melmastoon/domain'
import { verifyHandoff } from '@melmastoon/security'
import { spawnProcess } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RING, secretOf } from '../harness/handoff-client.ts'
import { SERVICE_SECRET } from '../harness/start-consumer.ts'
import { startWithSandbox } from '../harness/start-with-sandbox.ts'
import { type InstalledClient, installClient, programOf, readText } from './installed-client.ts'

const DEMO = new URL('../../../../tools/demo/traveller.ts', import.meta.url)
const TIMEOUT_MS = 60_000
const ADDRESS = 'http://127.0.0.1:8081'
/** For the test only: what the program of the README has found. */
const REPORT = '\nconsole.log(JSON.stringify({ link, hotel, offer, dates }))\n'

const MISTAKES = `import { createClient, formatMessage } from '@melmastoon/client'
import type { ProblemCodeOf } from '@melmastoon/client'
import type { paths } from '@melmastoon/client/consumer'
const api = createClient<paths>({ baseUrl: '' })
await api.GET('/bff/consumer/v1/hotel') // mistake: no such path
await api.GET('/bff/consumer/v1/hotels/{propertyId}/offers', {}) // mistake: no parameters
await api.POST('/bff/consumer/v1/session/currency', { body: { money: 'USD' } }) // mistake: body
const { data } = await api.GET('/bff/consumer/v1/locales')
console.log(data.languages) // mistake: no such member
formatMessage('errors.general.unknown', 'en') // mistake: no such key
formatMessage('labels.board.all', 'en') // mistake: no such value
type Code = ProblemCodeOf<paths, '/bff/consumer/v1/session/currency', 'post'>
export const code: Code = 'MELMASTOON.BFF.CONSUMER.STAY_NOT_BOOKABLE' // mistake: of another operation
`

let client: InstalledClient
let fixture: Awaited<ReturnType<typeof startWithSandbox>>

beforeAll(async () => {
  ;[client, fixture] = await Promise.all([installClient(), startWithSandbox()])
  const program = programOf(readText(client.folder, 'README.md'))
  client.write('readme.ts', program.replace(ADDRESS, fixture.service.url) + REPORT)
  client.write('mistakes.ts', MISTAKES)
}, TIMEOUT_MS)
afterAll(async () => {
  client[Symbol.dispose]()
  await fixture[Symbol.asyncDispose]()
})

interface Manifest {
  readonly license: string
  readonly dependencies?: object
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

/** What the manifest exports, and the package does not contain. */
function lackingTargets({ exports }: Manifest): string[] {
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  )
  return targets.filter((target) => !existsSync(join(client.folder, target)))
}

describe('the packed client', () => {
  it('contains what its manifest names, and needs no other package', () => {
    const manifest = JSON.parse(readText(client.folder, 'package.json')) as Manifest
    expect(Object.keys(manifest.exports).length).toBeGreaterThanOrEqual(6)
    expect(lackingTargets(manifest)).toEqual([])
    const ofWorkspace = { ...manifest.exports, './source': './src/index.ts' }
    expect(lackingTargets({ ...manifest, exports: ofWorkspace })).toEqual(['./src/index.ts'])
    expect(manifest).not.toHaveProperty('dependencies')
    expect(client.files).toEqual(expect.arrayContaining(['LICENSE', 'README.md']))
    const code = client.files.filter((file) => /^[^/]+\.js$/.test(file))
    expect(code).toEqual(expect.arrayContaining(['index.js', 'messages.js']))
    for (const file of code) {
      expect(readText(client.folder, file)).not.toMatch(
        /^import .* from "(?!\.\/)|\bnode:|require\(/m,
      )
    }
    expect(client.files.filter((file) => file.startsWith('src'))).toEqual([])
  })

  it.each([
    { module: 'nodenext', moduleResolution: 'nodenext' },
    { module: 'preserve', moduleResolution: 'bundler' },
  ])('compiles the README, and rejects mistakes: $moduleResolution', async (mode) => {
    const mistakes = MISTAKES.split('\n').flatMap((line, index) =>
      line.includes('// mistake') ? [`mistakes.ts:${index + 1}`] : [],
    )
    expect(mistakes).toHaveLength(7)
    expect([...new Set(await client.compile(mode))]).toEqual(mistakes)
  })

  it('C23 completes the journey of the README: search, offers, booking link', async () => {
    const lines = await client.execute('readme.ts')
    const { link, hotel, offer, dates } = JSON.parse(lines.at(-1) ?? '')
    const { origin, searchParams } = new URL(link.redirectUrl)
    const tenantId = hotel.tenantId as TenantId
    const token = verifyHandoff(searchParams.get('h') ?? '', RING, { now: new Date(), tenantId })
    expect(token).toMatchObject({
      id: link.handoffId,
      tenantId,
      propertyId: hotel.propertyId,
      ...dates,
      offer: {
        roomTypeId: offer.roomTypeId,
        ratePlanId: offer.ratePlanId,
        digest: offer.price.digest,
        shownPrice: { amountMinor: offer.price.totalForStayMinor, currency: offer.price.currency },
      },
    })
    expect(origin).toMatch(/^https?:\/\//)
    expect(lines).toEqual(
      expect.arrayContaining([
        'a former hotel',
        'MELMASTOON.BFF.CONSUMER.STAY_NOT_BOOKABLE',
        'تاسو ډېرې غوښتنې لېږلې دي. مهرباني وکړئ ۳۰ ثانیې وروسته بیا هڅه وکړئ.',
        'fa-AF rtl true false',
        'دست‌کم ۳ شب لازم است',
        '۲ تخت یک‌نفره',
      ]),
    )
  })
})

it('the scripted journey completes, and its booking link works once', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using traveller = spawnProcess(DEMO, {
    env: {
      CONSUMER_URL: fixture.service.url,
      CONSUMER_INTERNAL_URL: fixture.service.internalUrl,
      SERVICE_SECRET,
      HANDOFF_KEY: secretOf('handoff'),
    },
  })
  const { code } = await traveller.exited
  const seen = traveller.lines.join('\n')
  expect({ code, seen }).toMatchObject({ code: 0 })
  expect(seen).toContain('prices in AFN')
  expect(seen).toContain('wishlist: 1')
  expect(seen).toMatch(/first use: {2}200 accepted/)
  expect(seen).toMatch(/second use: 409 MELMASTOON\.BFF\.CONSUMER\.HANDOFF_REPLAYED/)
})
