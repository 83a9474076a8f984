import { runJob } from '@melmastoon/chassis/jobs'
import { hashedPart } from '@melmastoon/chassis/redis'
import { jobHost } from '@melmastoon/chassis/service'
import { type GuestSessionId, idToUuid, newId } from '@melmastoon/domain'
import { expectValidEvents } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { penalize } from '../../src/bots/bots.ts'
import { PACES } from '../../src/bots/signals.ts'
import { botSuspected } from '../../src/events/bot-events.ts'
import { service } from '../../src/service.ts'
import {
  contracts,
  createGuest,
  type Fixture,
  type RunningConsumer,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'
import { codeOf, SUSPECTED, search, startCrawlerSession } from './visitors.ts'

let fixture: Fixture
let url: string

beforeAll(async () => {
  fixture = await startFixture()
  url = fixture.service.url
})
afterAll(() => fixture[Symbol.asyncDispose]())

interface Row {
  guest_session_id: string | null
  fingerprint_hash: string
  ip_hash: string
  score: number
  verdict: string
  signals: { kind: string; weight: number; detail: string }[]
}

async function rowsOf(sessionId: string, service: Pick<RunningConsumer, 'ctx'> = fixture.service) {
  await service.ctx.bots.scores.flush()
  return await fixture.environment.query<Row>(`select * from bff_consumer.bot_score_log
      where guest_session_id = '${idToUuid(sessionId as GuestSessionId)}' order by id`)
}

const detailsOf = (row: Row | undefined) => row?.signals.map(({ detail }) => detail)

interface PublishedEvent {
  payload: Record<string, unknown>
  envelope: { retentionClass: string }
}

async function eventsOf(sessionId: string): Promise<PublishedEvent[]> {
  await fixture.service.ctx.telemetry.flush()
  return await fixture.environment.query<PublishedEvent>(`select payload, envelope from (
       select subject, payload, envelope from bff_consumer.outbox
       union all select subject, payload, envelope from bff_consumer.outbox_published) e
      where subject = '${botSuspected.subject}' and payload->>'guestSessionId' = '${sessionId}'`)
}

/** When the event of a later suspect is published, those of earlier ones would have been. */
async function untilEventsPublished(): Promise<void> {
  const { id, headers } = await startCrawlerSession(url)
  await search(url, headers)
  await expect.poll(() => eventsOf(id)).toHaveLength(1)
}

describe('C9 the score log', () => {
  it('contains verdict and signals, with hashed identifiers', async () => {
    const canary = 'canary-9c2e'
    const headers = { 'user-agent': `GPTBot/1.2 ${canary}`, 'accept-language': `en, ${canary}` }
    const { id, cookie } = await createGuest(url)
    await search(url, { ...headers, cookie })
    await search(url, { ...headers, cookie })
    const rows = await rowsOf(id)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      verdict: 'suspect',
      fingerprint_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      ip_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      signals: expect.arrayContaining([{ kind: 'ua-pattern', weight: 0.6, detail: 'crawler' }]),
    })
    const everything = JSON.stringify(
      await fixture.environment.query('select * from bff_consumer.bot_score_log'),
    )
    expect(everything).not.toMatch(new RegExp(`${canary}|GPTBot|127\\.0\\.0\\.1|::1`))
    expect(everything).not.toContain(cookie.split('.')[2])
  })

  it('contains humans, and visitors without a session', async () => {
    const guest = await createGuest(url)
    await search(url, { cookie: guest.cookie })
    expect((await rowsOf(guest.id)).map(({ verdict }) => verdict)).toEqual(['human'])
    await search(url, { 'user-agent': `GPTBot/1.2 (${newId('req')})` })
    await fixture.service.ctx.bots.scores.flush()
    const [{ count } = { count: 0 }] = await fixture.environment.query<{
      count: number
    }>(`select count(*)::int as count from bff_consumer.bot_score_log
        where guest_session_id is null and verdict = 'suspect'`)
    expect(count).toBeGreaterThan(0)
  })

  it('is pruned after seven days', async () => {
    const hash = `sha256:${'0'.repeat(64)}`
    await fixture.environment.query(`insert into bff_consumer.bot_score_log
         (fingerprint_hash, ip_hash, score, verdict, signals, evaluated_at)
       select '${hash}', '${hash}', 0, 'human', '[]', now() - age from
         unnest(array['8 days', '7 days 1 hour', '6 days 23 hours']::interval[]) as age`)
    const result = await runJob(jobHost(service, fixture.service.ctx), 'bot-score-prune')
    expect(result).toMatchObject({ outcome: 'done', summary: { deleted: 2 } })
    const left = await fixture.environment.query(
      `select 1 from bff_consumer.bot_score_log where ip_hash = '${hash}'`,
    )
    expect(left).toHaveLength(1)
  })

  it('does not affect responses when it cannot be written', async () => {
    const nowhere = { DATABASE_APP_URL: 'postgres://127.0.0.1:1/nowhere' }
    await using alone = await startConsumer({ env: { ...fixture.environment.env, ...nowhere } })
    const { cookie, id } = await createGuest(url)
    expect((await search(alone.url, { cookie })).status).toBe(200)
    expect(await rowsOf(id, alone)).toEqual([])
    const metrics = await (await fetch(`${alone.internalUrl}/metrics`)).text()
    expect(metrics).toMatch(/bot_scores_dropped_total [1-9]/)
  })
})

describe('C8 the event of a suspected bot', () => {
  it('is published once in five minutes, with hashes only and its retention class', async () => {
    const { id, headers } = await startCrawlerSession(url)
    for (let times = 0; times < 3; times += 1) await search(url, headers)
    await using elsewhere = await startConsumer(fixture.environment)
    await search(elsewhere.url, headers)
    await untilEventsPublished()
    await elsewhere.ctx.telemetry.flush()
    const events = await eventsOf(id)
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      payload: {
        reason: 'score',
        verdict: 'suspect',
        ipHash: expect.stringMatching(/^sha256:/),
        signals: expect.arrayContaining([{ kind: 'ua-pattern', weight: 0.6 }]),
      },
      envelope: { retentionClass: 'audit' },
    })
    await expectValidEvents(fixture.environment.adminUrl, contracts)
  })

  it.each([
    ['DNT', { dnt: '1' }],
    ['GPC', { 'sec-gpc': '1' }],
  ])('is not published under %s; the row is written', async (_why, rejection) => {
    const { id, headers } = await startCrawlerSession(url)
    expect(codeOf(await search(url, { ...headers, ...rejection }))).toEqual([429, SUSPECTED])
    await untilEventsPublished()
    expect(await eventsOf(id)).toEqual([])
    expect(await rowsOf(id)).toHaveLength(1)
  })

  it('is not published for humans', async () => {
    const { id, cookie } = await createGuest(url)
    await search(url, { cookie })
    await untilEventsPublished()
    expect(await eventsOf(id)).toEqual([])
  })
})

describe('C9 signals over time', () => {
  const slow = { ...PACES, guestFast: 20, guestInhuman: 40 }

  it('a library above the pace of people is suspected in every process', async () => {
    const overrides = { bots: { paces: slow, recountMs: 0 } }
    await using one = await startConsumer(fixture.environment, overrides)
    await using other = await startConsumer(fixture.environment, overrides)
    const { cookie, id } = await createGuest(url)
    const responses: number[] = []
    for (let times = 0; times < 140; times += 1) {
      responses.push((await search(times % 2 === 0 ? one.url : other.url, { cookie })).status)
    }
    expect(responses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 200))
    const late = async () => (await search(one.url, { cookie })).status
    await expect.poll(late, { interval: 5 }).toBe(429)
    const details = (await rowsOf(id, one)).flatMap((row) => detailsOf(row) ?? [])
    expect(details.some((detail) => detail.startsWith('guest-'))).toBe(true)
  })

  it('changing the languages does not lower the measured pace', async () => {
    await using one = await startConsumer(fixture.environment, { bots: { paces: slow } })
    const { cookie, id } = await createGuest(url)
    const responses: number[] = []
    for (let times = 0; times < 60; times += 1) {
      const headers = { cookie, 'accept-language': times % 10 === 9 ? 'fa' : 'en' }
      responses.push((await search(one.url, headers)).status)
    }
    expect(responses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(responses.at(-1)).toBe(429)
    expect(detailsOf((await rowsOf(id, one)).at(-1))).toContain('guest-inhuman')
  })

  it('control: at the pace of people it is not suspected', async () => {
    await using one = await startConsumer(fixture.environment, {
      bots: { paces: PACES, recountMs: 0 },
    })
    const { cookie } = await createGuest(url)
    for (let times = 0; times < 140; times += 1) {
      expect((await search(one.url, { cookie })).status).toBe(200)
    }
  })

  it('many new sessions with one fingerprint are a signal', async () => {
    const paces = { ...PACES, sessionsMany: 5, sessionsFlood: 50 }
    await using one = await startConsumer(fixture.environment, { bots: { paces } })
    const headers = { 'user-agent': `curl/8.5 ${newId('req')}` }
    for (let times = 0; times < 7; times += 1) await createGuest(one.url, headers)
    const details = async () => {
      const { id, cookie } = await createGuest(one.url, headers)
      await search(one.url, { ...headers, cookie })
      return detailsOf((await rowsOf(id, one))[0])
    }
    await expect.poll(details).toContain('sessions-many')
    const { id, cookie } = await createGuest(one.url)
    await search(one.url, { cookie, 'user-agent': `curl/8.6 ${newId('req')}` })
    expect(detailsOf((await rowsOf(id, one))[0])).not.toContain('sessions-many')
  })

  it('penalties apply to every visitor with that fingerprint, for an hour', async () => {
    const headers = { 'user-agent': `curl/8.5 ${newId('req')}` }
    const victim = await createGuest(url, { ...headers, 'x-campaign-source': 'radio' })
    const { data } = (await fixture.service.ctx.sessions.find(victim.id)) ?? { data: undefined }
    const fingerprint = data?.cookieFingerprintHash ?? ''
    for (let times = 0; times < 3; times += 1) {
      await penalize(fixture.service.ctx, fingerprint, 'handoff-replayed')
    }
    const { sessionRedis } = fixture.service.ctx
    expect(
      await sessionRedis.ttl(`bff-consumer-service:v1:bot:penalty:${hashedPart(fingerprint)}`),
    ).toBeGreaterThan(3_590)
    await using other = await startConsumer(fixture.environment)
    const rejected = await search(other.url, { ...headers, cookie: victim.cookie })
    expect(codeOf(rejected)).toEqual([429, SUSPECTED])
    const neighbour = { 'user-agent': `curl/8.6 ${newId('req')}` }
    expect((await search(other.url, neighbour)).status).toBe(200)
  })
})

describe('C9 a session used by another client', () => {
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const SAFARI =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.2 Mobile/15E148 Safari/604.1'
  let proxied: RunningConsumer
  beforeAll(async () => {
    proxied = await startConsumer({ env: { ...fixture.environment.env, TRUST_PROXY_HOPS: '1' } })
  })
  afterAll(() => proxied[Symbol.asyncDispose]())

  async function detailsAfter(then: { agent: string; address: string }) {
    const from = (userAgent: string, address: string) => ({
      'user-agent': userAgent,
      'x-forwarded-for': address,
    })
    const guest = await createGuest(proxied.url, from(FIREFOX, '203.0.113.10'))
    const { cookie } = guest
    await search(proxied.url, { cookie, ...from(FIREFOX, '203.0.113.10') })
    const response = await search(proxied.url, { cookie, ...from(then.agent, then.address) })
    const rows = await rowsOf(guest.id, proxied)
    return { status: response.status, details: detailsOf(rows.at(-1)) }
  }

  it.each([
    ['a change of network', { agent: FIREFOX, address: '198.51.100.7' }],
    [
      'an update of the browser',
      { agent: FIREFOX.replaceAll('140', '141'), address: '203.0.113.10' },
    ],
  ])('is not assumed after %s', async (_what, then) => {
    const { status, details } = await detailsAfter(then)
    expect(status).toBe(200)
    expect(details?.filter((detail) => detail.startsWith('session-'))).toEqual([])
  })

  it('is a signal in another browser, a stronger one from another address; neither alone rejects', async () => {
    const same = await detailsAfter({ agent: SAFARI, address: '203.0.113.10' })
    expect([same.status, same.details?.includes('session-other-browser')]).toEqual([200, true])
    const away = await detailsAfter({ agent: SAFARI, address: '198.51.100.7' })
    expect([away.status, away.details?.includes('session-elsewhere')]).toEqual([200, true])
  })
})
