import { hashedPart, type Redis } from '@melmastoon/chassis/redis'
import { newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sessionBy } from '../harness/guest-sessions.ts'
import { startSessionClient } from '../harness/session-client.ts'
import {
  createGuest,
  type Fixture,
  get,
  type RunningConsumer,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

/** The guests come from this process; the other one, which is observed, does not know them. */
let fixture: Fixture
let observed: RunningConsumer

const CLIENT = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' }

beforeAll(async () => {
  fixture = await startFixture()
  observed = await startConsumer(fixture.environment)
  // Afterwards Redis knows the scripts, and the process the shared limits.
  for (let times = 0; times < 3; times += 1) await visitAs(await createGuest(fixture.service.url))
})
afterAll(async () => {
  await observed[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

/** A request that changes nothing. */
const visitAs = ({ cookie }: { cookie: string }, headers: Record<string, string> = CLIENT) =>
  get(observed.url, '/suggest?q=kab', { ...headers, cookie })

interface Command {
  /** Such as `session` or `bot:visitor`. */
  readonly subject: string
  /** How many round trips had ended when it was sent. */
  readonly trip: number
}

/**
 * The commands for session, own limit and bot detection, on both connections together. Shared
 * limits are read in the background.
 */
function observeCommands({ ctx }: RunningConsumer) {
  const commands: Command[] = []
  let replies = 0
  let tripEndsAt = 0
  let trip = 0
  const spies = [ctx.sessionRedis, ctx.cacheRedis].map((redis) => {
    const send = redis.sendCommand.bind(redis)
    return vi.spyOn(redis, 'sendCommand').mockImplementation((command, stream) => {
      const subject = subjectOf(command)
      if (subject === undefined) return send(command, stream)
      if (replies > tripEndsAt) [trip, tripEndsAt] = [trip + 1, replies]
      commands.push({ subject, trip })
      command.promise.then(
        () => (replies += 1),
        () => (replies += 1),
      )
      return send(command, stream)
    })
  })
  return {
    commands,
    [Symbol.dispose]() {
      for (const spy of spies) spy.mockRestore()
    },
  }
}

const SUBJECT = /^bff-consumer-service:v1:(session|limit:read|bot:[a-z]+):/

type SentCommand = Parameters<Redis['sendCommand']>[0]

function subjectOf({ args }: SentCommand): string | undefined {
  const names = args.map((arg) => SUBJECT.exec(String(arg))?.[1])
  return names.find((name) => name !== undefined)
}

async function commandsOf(work: () => Promise<{ readonly status: number }>): Promise<Command[]> {
  using watch = observeCommands(observed)
  expect((await work()).status).toBe(200)
  return watch.commands
}

describe('a guest that is unknown to the process', () => {
  const FIRST = { trip: 0 }
  const HISTORY = ['bot:clear', 'bot:address', 'bot:visitor']
  const ALL = ['session', 'limit:read', ...HISTORY]

  // Penalties, sessions and tokens are known for a second or two; a busy machine may need longer.
  it('costs one round trip for session, limit and history, in five commands', () =>
    eventually(async () => {
      const guest = await createGuest(fixture.service.url, CLIENT)
      const commands = await commandsOf(() => visitAs(guest))
      const subjects = commands.map(({ subject }) => subject)
      const penalties = subjects.filter((subject) => subject === 'bot:penalty')
      // One more if the penalties of its fingerprint were last read more than a second ago.
      expect(penalties.length).toBeLessThanOrEqual(1)
      expect(subjects.toSorted()).toEqual([...ALL, ...penalties].toSorted())
      expect(commands).toEqual(commands.map(({ subject }) => ({ subject, ...FIRST })))
    }))

  it('control: a history that is read after the session takes a second round trip', async () => {
    const known = await createGuest(fixture.service.url, CLIENT)
    await visitAs(known)
    const { profiles } = observed.ctx.bots
    const session = await sessionBy(observed, known)
    const client = { address: '127.0.0.1', userAgent: CLIENT['user-agent'] }
    const assessed = profiles.of({ ...client, acceptLanguage: '*', session })
    assessed.assessedAtMs = observed.ctx.clock.monotonicMs()
    const find = vi.spyOn(profiles, 'find').mockReturnValue(assessed)
    const guest = await createGuest(fixture.service.url, CLIENT)
    const commands = await commandsOf(() => visitAs(guest))
    find.mockRestore()
    const late = commands.filter(({ trip }) => trip > 0).map(({ subject }) => subject)
    expect(late).toEqual(expect.arrayContaining(HISTORY))
  })

  it('costs one token of its limit the next time, then nothing', () =>
    eventually(async () => {
      const guest = await createGuest(fixture.service.url, CLIENT)
      await visitAs(guest)
      const second = await commandsOf(() => visitAs(guest))
      expect(second).toEqual([{ subject: 'limit:read', ...FIRST }])
      expect(await commandsOf(() => visitAs(guest))).toEqual([])
    }))

  it('is counted once per request', async () => {
    const guest = await createGuest(fixture.service.url, CLIENT)
    const { cacheRedis } = observed.ctx
    const key = `bff-consumer-service:v1:bot:visitor:${hashedPart(guest.id)}`
    // In the current minute and the previous one, which may have ended meanwhile.
    const counted = async () => {
      const [current, previous] = await cacheRedis.hmget(key, 'c', 'p')
      return Number(current) + Number(previous)
    }
    await visitAs(guest)
    expect(await counted()).toBe(1)
    // Another client of the same session is assessed again; its request is counted then.
    await visitAs(guest, { 'user-agent': `curl/8.5 ${newId('req')}` })
    expect(await counted()).toBe(2)
    expect(await cacheRedis.ttl(key)).toBeGreaterThan(604_000)
  })

  it('leaves nothing in Redis when its session was cleared', async () => {
    const guest = await startSessionClient(fixture.service.url)
    await guest.clear()
    const load = vi.spyOn(observed.ctx.bots.visitors, 'load')
    expect((await visitAs({ cookie: guest.cookie })).status).toBe(200)
    // It was read with the session, before the process knew that there is none.
    expect(load.mock.calls.map(([visitor]) => visitor.visitorId)).toContain(guest.id)
    load.mockRestore()
    const { cacheRedis, sessionRedis } = observed.ctx
    for (const redis of [cacheRedis, sessionRedis]) {
      expect(await redis.keys(`*:bot:*${hashedPart(guest.id)}*`)).toEqual([])
    }
  })

  /** How often requests are counted for their address and device, and for which visitors. */
  async function countsOf(work: () => Promise<unknown>) {
    const load = vi.spyOn(observed.ctx.bots.visitors, 'load')
    await work()
    const counts = load.mock.calls.map(([{ visitorId }, requests]) => ({ visitorId, requests }))
    load.mockRestore()
    const total = counts.reduce((sum, { requests }) => sum + requests, 0)
    return { total, visitors: counts.map(({ visitorId }) => visitorId) }
  }

  const newClient = () => ({ 'user-agent': `${CLIENT['user-agent']} ${newId('req')}` })

  it('is counted once when its session was cleared', async () => {
    const guest = await startSessionClient(fixture.service.url)
    await guest.clear()
    const counts = await countsOf(() => visitAs({ cookie: guest.cookie }, newClient()))
    expect(counts).toEqual({ total: 1, visitors: [guest.id, expect.any(String)] })
  })

  it('is counted once while sessions cannot be read, then not before its session', async () => {
    const guests = [await createGuest(fixture.service.url), await createGuest(fixture.service.url)]
    const { sessions } = observed.ctx
    const load = sessions.load.bind(sessions)
    const failing = vi.spyOn(sessions, 'load').mockImplementation(async (cookie) => {
      const lookup = await load(cookie)
      if (lookup.kind === 'none') return lookup
      return { kind: 'unavailable', session: lookup.session }
    })
    const counted: unknown[] = []
    for (const guest of guests) counted.push(await countsOf(() => visitAs(guest, newClient())))
    failing.mockRestore()
    expect(counted).toEqual([
      { total: 1, visitors: [guests[0]?.id, expect.any(String)] },
      { total: 1, visitors: [expect.not.stringMatching(/^gms_/)] },
    ])
    // The first session that is read again.
    await visitAs(await createGuest(fixture.service.url))
    const next = await createGuest(fixture.service.url)
    expect((await countsOf(() => visitAs(next))).visitors).toEqual([next.id])
  })
})
