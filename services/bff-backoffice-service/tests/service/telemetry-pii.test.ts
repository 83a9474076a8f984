import { newId } from '@melmastoon/domain'
import {
  Canaries,
  expectClosedEvents,
  send,
  spawnObserved,
  type TraceCollector,
  textsOfPostgres,
  textsOfRedis,
} from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contracts } from '../harness/backoffice-environment.ts'
import { Journey, type Json } from '../harness/journey.ts'
import { type Backoffice, startWithSandbox } from '../harness/start-backoffice.ts'
import { workAllDay } from '../harness/working-day.ts'

/**
 * Staff work for a day with canaries in every input, with valid and invalid requests; then all
 * outputs of the service are searched for them, for secrets and for guests (SEC-L01).
 */
const canaries = new Canaries()
const word = (place: string) => canaries.plant(place)
const SLUG = 'gulistan-hotel'
const TIMEOUT_MS = 90_000
/** The sandbox uses the same Redis. */
const isOwn = (key: string) => !key.startsWith('platform-sandbox:')

let office: Backoffice
let traces: TraceCollector
let logs: readonly string[]
let metrics: string
let journey: Journey
/** Of problems. */
const problems: string[] = []

const headers = () => ({
  'user-agent': `desktop/1.4.0 ${word('user agent')}`,
  'x-forwarded-for': canaries.place('address', '203.0.113.177'),
  referer: `https://example.com/${word('referer')}`,
  'accept-language': `en, ${word('language')};q=0.1`,
  cookie: `other=${word('cookie')}`,
  'x-request-id': word('request id'),
  tracestate: `vendor=${word('trace state')}`,
  baggage: `who=${word('baggage')}`,
  'x-unknown': word('unknown header'),
})

/** Texts that staff write. */
const bodies = () => ({
  'staff.folio.charge': { description: word('charge') },
  'staff.work-order.create': { title: word('title'), description: word('defect') },
  'staff.work-order.resolve': { resolution: word('resolution') },
  'staff.alert.acknowledge': { note: word('alert note') },
  'staff.suggestion.decide': { note: word('decision note') },
  'staff.preferences.put': { payload: { startPage: word('preference') } },
})

beforeAll(async () => {
  office = await startWithSandbox()
  const { child, ...observed } = await spawnObserved(office)
  await using _ended = child
  traces = observed.traces
  const options = { slug: SLUG, headers: headers(), bodies: bodies(), newKey }
  journey = await Journey.prepare(office, { ...options, url: child.url })
  await workAllDay(journey)
  for (const [index, text] of guestsIn(journey).entries()) canaries.place(`guest ${index}`, text)
  for (const [name, text] of secretsIn(journey)) canaries.place(name, text)
  await rejectEverything(await Journey.prepare(office, { ...options, url: child.url }))
  await rejectEverything(await Journey.prepare(office, options))
  metrics = (await send(office.service.internalUrl, 'GET', '/metrics')).text
  await child.kill('SIGTERM')
  logs = child.lines
}, TIMEOUT_MS)
afterAll(async () => {
  await traces[Symbol.asyncDispose]()
  await office[Symbol.asyncDispose]()
})

const newKey = () => `${word('idempotency key')}-${newId('req')}`

interface Guest {
  readonly fullName: string
  readonly phone?: string
}

/** Guests whom the boards have shown. */
function guestsIn({ exchanges }: Journey): string[] {
  const rows = exchanges.flatMap(({ response }) => (response.body?.['rows'] ?? []) as Json[])
  const guests = rows.flatMap(({ guest }) => (guest === undefined ? [] : [guest as Guest]))
  return [...new Set(guests.flatMap(({ fullName, phone }) => [fullName, phone ?? fullName]))]
}

/** What only the device may have. */
function secretsIn({ exchanges }: Journey): [name: string, text: string][] {
  const of = (operation: string) => exchanges.find((each) => each.operation === operation)
  const { secret } = (of('staff.lock.issue')?.response.body ?? {}) as { secret?: { pin: string } }
  const { token } = of('staff.sync.handshake')?.response.body ?? {}
  const { pack } = of('staff.offline.pack')?.response.body ?? {}
  const { assertion } = (of('staff.mfa.step-up')?.body ?? {}) as Json
  return [
    ['PIN', `"${secret?.pin ?? 'none'}"`],
    ['sync token', String(token).slice(-40)],
    ['offline pack', String(pack).slice(-40)],
    ['assertion', String(assertion)],
  ]
}

/** Every operation with invalid input, and with a token that is not valid. */
async function rejectEverything(rejected: Journey): Promise<void> {
  const manager = await rejected.signIn('manager')
  canaries.place('access token', manager.tokens.accessToken.slice(-40))
  canaries.place('refresh token', manager.tokens.refreshToken.slice(-40))
  for (const { id, path, method } of rejected.examples.operations.values()) {
    if (id === 'staff.session.sign-out' || id === 'staff.stream.open') continue
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const inPath = Object.fromEntries(names.map((name) => [name, word('path')]))
    const parameters = { ...inPath, propertyId: word('property'), q: word('query') }
    const body = method === 'GET' ? {} : { body: { [word('member')]: word('value') } }
    const { status, body: problem } = await rejected.attempt(manager, id, { parameters, ...body })
    if (status >= 400) problems.push(JSON.stringify(problem))
  }
  const forged = await manager.request('/session', { accessToken: word('forged token') })
  problems.push(JSON.stringify(forged.body))
}

const CACHE = 'bff-backoffice-service:v1:cache'

/** Where staff's own texts are stored on purpose, by table or key. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  alert_ack_log: ['alert note'],
  ai_decision_log: ['decision note'],
  operator_preferences: ['preference'],
  [CACHE]: ['preference'],
}

const guests = () => canaries.places.filter((place) => place.startsWith('guest '))

/** Boards show the names of guests, so the cached lists and boards contain them while they live. */
const leaks = (texts: readonly string[]) =>
  canaries.leaksIn(texts, { ...ALLOWED, [CACHE]: [...(ALLOWED[CACHE] ?? []), ...guests()] })

describe('SEC-L01 the input of staff, secrets and guests', () => {
  it('were sent to every route and shown by boards', () => {
    expect(journey.exchanges.length).toBeGreaterThan(45)
    expect(problems.length).toBeGreaterThan(60)
    expect(guests().length).toBeGreaterThan(10)
    expect(problems.filter((text) => text.includes('"status":500'))).toEqual([])
  })

  it('are in no log, no metric and no trace', () => {
    expect(logs.length).toBeGreaterThan(5)
    expect(canaries.findIn(logs.join('\n'))).toEqual([])
    expect(metrics).toContain('bff_backoffice_request_total')
    expect(canaries.findIn(metrics)).toEqual([])
    const exported = traces.received.join('\n')
    expect(exported.includes('reservation reservation.checkIn')).toBe(true)
    expect(canaries.findIn(exported)).toEqual([])
  })

  it('are in no problem, apart from the path and the names of unknown fields', () => {
    const withoutPath = problems.map((text) => text.replace(/"instance":"[^"]*"/, ''))
    expect(canaries.findIn(withoutPath.join('\n'))).toEqual(['member'])
  })

  it('are in no key of Redis, and in no table but those for texts of staff', async () => {
    const stored = await textsOfPostgres(office)
    expect(stored.length).toBeGreaterThan(100)
    expect(leaks(stored)).toEqual({})
    const cached = await textsOfRedis(office, { isOwn })
    expect(cached.length).toBeGreaterThan(20)
    expect(leaks(cached)).toEqual({})
    for (const [place, fields] of Object.entries(ALLOWED)) {
      const texts = [...stored, ...cached].filter((text) => text.startsWith(`${place}:`))
      const named = new Set(guests())
      const others = canaries.findIn(texts.join('\n')).filter((each) => !named.has(each))
      expect(others, place).toEqual(fields)
    }
  })

  it('would be found in a table, a key or a log (control)', async () => {
    const { ctx } = office.service
    const { environment } = office
    await ctx.cacheRedis.set('canary', word('planted'))
    await environment.query(
      `update ${environment.schema}.device_sync_status set app_version = $1`,
      [word('planted').slice(0, 40)],
    )
    expect(Object.values(leaks(await textsOfRedis(office, { isOwn })))).toEqual([['planted']])
    expect(Object.values(leaks(await textsOfPostgres(office)))).toEqual([['planted']])
    await ctx.cacheRedis.del('canary')
    expect(canaries.findIn(`{"msg":"${word('planted')}"}`)).toEqual(['planted'])
  })
})

describe('the events of a day', () => {
  it('P6 have the fields of the registry and no others', async () => {
    const events = await expectClosedEvents(office.environment.adminUrl, contracts)
    expect(new Set(events.map(({ envelope }) => envelope.subject)).size).toBeGreaterThan(5)
  })
})
