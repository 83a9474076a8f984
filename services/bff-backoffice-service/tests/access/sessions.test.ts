import { waitUntilReady } from '@melmastoon/chassis/redis'
import { newId } from '@melmastoon/domain'
import { type Instance, startRedis } from '@melmastoon/one-machine'
import { eventually, startTcpProxy, type TcpProxy, temporaryFolder } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { publishRevocation } from '../harness/publish-revocation.ts'
import { sessionEvents } from '../harness/session-events.ts'
import { type BackofficeWithFakes, startWithFakes } from '../harness/start-with-fakes.ts'
import { TestDevice } from '../harness/test-device.ts'
import { fixedEpoch, replaysOfProcess } from './negative-controls.ts'

const REPLAYED = 'MELMASTOON.SECURITY.DPOP_REPLAYED'
const NONCE = 'MELMASTOON.SECURITY.DPOP_NONCE_REQUIRED'
const REVOKED = 'MELMASTOON.SESSION.REVOKED'
const AWAY = 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE'

let running: BackofficeWithFakes
let redis: BackofficeWithFakes['service']['ctx']['sessionRedis']
beforeAll(async () => {
  running = await startWithFakes({ access: { failures: 10_000 } })
  redis = running.service.ctx.sessionRedis
})
afterAll(() => running[Symbol.asyncDispose]())

async function newDevice(): Promise<TestDevice> {
  const { platform, service } = running
  const device = await TestDevice.signIn(platform, platform.newOperator())
  expect((await device.get(service, '/session')).status).toBe(200)
  return device
}

type Service = BackofficeWithFakes['service']

/** The same proof many times, in turn at each of the services; how many responses are 200. */
async function replay(device: TestDevice, services: readonly Service[], times: number) {
  const proof = await device.proof('GET', '/session')
  const sent = Array.from({ length: times }, (_, at) => {
    const service = services[at % services.length] ?? running.service
    return device.sendOnce(service, { method: 'GET', path: '/session', presented: { proof } })
  })
  const responses = await Promise.all(sent)
  const codes = responses.filter(({ status }) => status !== 200).map(({ body }) => body['code'])
  return { accepted: times - codes.length, codes: new Set(codes) }
}

describe('the replay store', () => {
  it('STAFF-AUTH-02 accepts one of 100 parallel replays at two processes', async () => {
    await using other = await running.startAnother()
    const device = await newDevice()
    const result = await replay(device, [running.service, other], 100)
    expect(result).toEqual({ accepted: 1, codes: new Set([REPLAYED]) })
    const metrics = await running.service.ctx.metrics.render()
    expect(metrics).toMatch(/bff_backoffice_dpop_replay_blocked_total [1-9]/)
  })

  it('STAFF-AUTH-02 does not, when each process knows its own proofs only', async () => {
    const access = () => ({ ...replaysOfProcess(), failures: 10_000 })
    await using one = await running.startAnother({ access: access() })
    await using two = await running.startAnother({ access: access() })
    const { accepted } = await replay(await newDevice(), [one, two], 100)
    expect(accepted).toBe(2)
  })

  /** The store forgets everything, and meanwhile another request has opened the session again. */
  async function replayAfterLoss(service: Service, isReopened: boolean): Promise<unknown> {
    const device = await newDevice()
    expect((await device.get(service, '/session')).status).toBe(200)
    const proof = await device.proof('GET', '/session')
    const first = await device.sendOnce(service, {
      method: 'GET',
      path: '/session',
      presented: { proof },
    })
    expect(first.status).toBe(200)
    await redis.flushdb()
    if (isReopened) await device.get(running.service, '/session')
    const again = await device.sendOnce(service, {
      method: 'GET',
      path: '/session',
      presented: { proof },
    })
    if (again.status === 200) return 'accepted'
    expect((await device.get(service, '/session')).status).toBe(200)
    return again.body['code']
  }

  it.each([false, true])(
    'STAFF-AUTH-03 challenges a proof after the store has lost its memory (reopened: %s)',
    async (isReopened) => {
      await using other = await running.startAnother()
      expect(await replayAfterLoss(other, isReopened)).toBe(NONCE)
    },
  )

  it('STAFF-AUTH-03 accepts it when nonces do not depend on the epoch', async () => {
    const access = { ...fixedEpoch, failures: 10_000 }
    await using unsafe = await running.startAnother({ access })
    expect(await replayAfterLoss(unsafe, false)).toBe('accepted')
  })
})

describe('a session', () => {
  it('is opened after iam has confirmed it, once for concurrent requests', async () => {
    const { platform, service } = running
    const device = await TestDevice.signIn(platform, platform.newOperator())
    expect((await device.sendOnce(service, { method: 'GET', path: '/session' })).body['code']).toBe(
      NONCE,
    )
    const before = platform.count('validateSession')
    const requests = Array.from({ length: 20 }, () => device.get(service, '/session'))
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(platform.count('validateSession') - before).toBe(1)
    const found = await service.ctx.access.findSessionOfDevice(device)
    expect(found?.sessionId).toBe(device.sessionId)
    await eventually(async () => {
      expect(await sessionEvents(running.environment, device.sessionId)).toEqual(['opened'])
    })
  })

  it('lives for twelve hours from the last request, and no longer than its tokens', async () => {
    const { platform, service } = running
    const device = await newDevice()
    const [key = ''] = await redis.keys(`*:session:{${device.sessionId}}`)
    expect(await redis.pttl(key)).toBeGreaterThan(11.9 * 3_600_000)
    const short = await TestDevice.signIn(platform, platform.newOperator())
    const session = platform.sessions.get(short.sessionId)
    if (session === undefined) throw new TypeError('no session')
    const familyExpiresAt = new Date(Date.now() + 60_000).toISOString() as never
    platform.sessions.set(short.sessionId, { ...session, familyExpiresAt })
    expect((await short.get(service, '/session')).status).toBe(200)
    const [shortKey = ''] = await redis.keys(`*:session:{${short.sessionId}}`)
    expect(await redis.pttl(shortKey)).toBeLessThanOrEqual(60_000)
  })

  it('of another key, device or operator is not opened', async () => {
    const { platform, service } = running
    const device = await TestDevice.signIn(platform, platform.newOperator())
    const session = platform.sessions.get(device.sessionId)
    if (session === undefined) throw new TypeError('no session')
    for (const change of [
      { jkt: 'A'.repeat(43) },
      { deviceId: newId('dev') },
      { operatorId: newId('opr') },
      { status: 'revoked' as const },
    ]) {
      platform.sessions.set(device.sessionId, { ...session, ...change })
      expect((await device.get(service, '/session')).body['code']).toBe(REVOKED)
    }
    platform.sessions.delete(device.sessionId)
    expect((await device.get(service, '/session')).body['code']).toBe(REVOKED)
  })

  it('is not opened while iam is down', async () => {
    const { platform, service } = running
    const device = await TestDevice.signIn(platform, platform.newOperator())
    platform.down.add('validateSession')
    const response = await device.get(service, '/session')
    expect([response.status, response.headers.has('retry-after')]).toEqual([503, true])
    platform.down.clear()
    await eventually(async () => {
      expect((await device.get(service, '/session')).status).toBe(200)
    })
  })

  it('STAFF-AUTH-14 ends at once in all processes; a lost message is found by the sweep', async () => {
    await using other = await running.startAnother()
    const device = await newDevice()
    expect((await device.get(other, '/session')).status).toBe(200)
    const heard: string[] = []
    const stop = other.ctx.access.onSessionEnded((id) => void heard.push(id))
    await running.service.ctx.access.endSession(device.sessionId)
    expect((await device.get(other, '/session')).body['code']).toBe(REVOKED)
    await eventually(() => expect(heard).toEqual([device.sessionId]))

    const silent = await newDevice()
    const [key = ''] = await redis.keys(`*:session:{${silent.sessionId}}`)
    await redis.rename(key, key.replace(':session:', ':revoked:'))
    expect((await silent.get(other, '/session')).body['code']).toBe(REVOKED)
    const open = await newDevice()
    const ids = [silent.sessionId, open.sessionId]
    expect(await other.ctx.access.findEnded(ids)).toEqual([silent.sessionId])
    expect(heard).not.toContain(silent.sessionId)
    stop()
  })

  it('STAFF-AUTH-14 that the platform reports as revoked is rejected by all processes within a second', async () => {
    await using other = await running.startAnother()
    const [revoked, active] = [await newDevice(), await newDevice()]
    const services = [running.service, other]
    const codesOf = async (device: TestDevice) => {
      const responses = services.map((service) => device.get(service, '/session'))
      return (await Promise.all(responses)).map(({ status, body }) => body['code'] ?? status)
    }
    expect(await codesOf(revoked)).toEqual([200, 200])
    await publishRevocation(running, revoked)
    await eventually(async () => expect(await codesOf(revoked)).toEqual([REVOKED, REVOKED]), {
      timeoutMs: 1_000,
    })
    expect(await codesOf(active)).toEqual([200, 200])
  })

  it('STAFF-AUTH-15 that was revoked stays revoked when Redis is emptied', async () => {
    const { platform, service } = running
    const [revoked, active] = [await newDevice(), await newDevice()]
    platform.revoke(revoked.sessionId)
    await service.ctx.access.endSession(revoked.sessionId)
    await redis.flushdb()
    expect((await revoked.get(service, '/session')).body['code']).toBe(REVOKED)
    expect((await active.get(service, '/session')).status).toBe(200)
  })
})

describe('without Redis', () => {
  let proxy: TcpProxy
  let cut: Service
  beforeAll(async () => {
    proxy = await startTcpProxy(running.environment.redis.sessionUrl)
    cut = await running.startAnother({}, { REDIS_SESSION_URL: proxy.url })
  })
  afterAll(async () => {
    await proxy.setMode({ kind: 'pass' })
    await cut[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
  })

  it('STAFF-AUTH-16 reads proceed after iam has confirmed the session, changes are rejected', async () => {
    const { platform } = running
    const [device, revoked] = [await newDevice(), await newDevice()]
    for (const each of [device, revoked]) {
      expect((await each.get(cut, '/session')).status).toBe(200)
    }
    await proxy.setMode({ kind: 'refuse' })
    await eventually(() => expect(cut.ctx.sessionRedis.status).not.toBe('ready'))
    const before = platform.count('validateSession')
    for (let read = 0; read < 5; read += 1) {
      expect((await device.get(cut, '/session')).status).toBe(200)
    }
    expect(platform.count('validateSession') - before).toBe(1)
    const proof = await device.proof('GET', '/session')
    const codes: unknown[] = []
    for (let time = 0; time < 2; time += 1) {
      const { body } = await device.sendOnce(cut, {
        method: 'GET',
        path: '/session',
        presented: { proof },
      })
      codes.push(body['code'])
    }
    expect(codes).toEqual([undefined, REPLAYED])
    platform.revoke(revoked.sessionId)
    expect((await revoked.get(cut, '/session')).body['code']).toBe(REVOKED)
    const key = crypto.randomUUID()
    const change = await device.send(cut, { method: 'POST', path: '/auth/sign-out', json: {}, key })
    expect([change.status, change.body['code']]).toEqual([503, AWAY])
    expect(change.headers.has('retry-after')).toBe(true)
    const refreshToken = 'x'
    const refresh = await device.send(cut, {
      method: 'POST',
      path: '/auth/refresh',
      json: { refreshToken },
    })
    expect([refresh.status, refresh.body['code']]).toEqual([503, AWAY])
    platform.down.add('validateSession')
    const stranger = await TestDevice.signIn(platform, platform.newOperator())
    expect((await stranger.get(cut, '/session')).status).toBe(503)
    platform.down.clear()
    await proxy.setMode({ kind: 'pass' })
    await eventually(async () => {
      expect((await device.get(cut, '/session')).status).toBe(200)
      expect(cut.ctx.sessionRedis.status).toBe('ready')
    })
  })
})

describe('the session Redis', () => {
  it('gets one command per request', async () => {
    await using service = await running.startAnother()
    const device = await newDevice()
    expect((await device.get(service, '/session')).status).toBe(200)
    const { sessionRedis } = service.ctx
    const send = vi.spyOn(sessionRedis, 'sendCommand')
    for (let request = 0; request < 20; request += 1) {
      expect((await device.get(service, '/session')).status).toBe(200)
    }
    // Those of the bus, the caches and the streams name no session.
    const named = send.mock.calls.filter(([{ args }]) => args.join(' ').includes(device.sessionId))
    expect(named).toHaveLength(20)
  })

  /** Uses a proof again after a crash of the server, which lost the record of its use. */
  async function replayAfterRestart(service: Service, server: Instance): Promise<unknown> {
    const device = await newDevice()
    expect((await device.get(service, '/session')).status).toBe(200)
    const proof = await device.proof('GET', '/session')
    const present = () =>
      device.sendOnce(service, { method: 'GET', path: '/session', presented: { proof } })
    expect((await present()).status).toBe(200)
    await server.kill()
    await server.restart()
    const { sessionRedis } = service.ctx
    await waitUntilReady(sessionRedis, 10_000)
    await sessionRedis.del('none', ...(await sessionRedis.keys('*:proof:*')))
    const again = await present()
    return again.status === 200 ? 'accepted' : again.body['code']
  }

  it('STAFF-AUTH-03 that restarted without its last writes accepts no old proof', async () => {
    using folder = temporaryFolder()
    const server = await startRedis({ dataDir: folder.path, port: 0, policy: 'noeviction' })
    try {
      const env = { REDIS_SESSION_URL: server.url }
      await using service = await running.startAnother({}, env)
      await using unsafe = await running.startAnother({ access: fixedEpoch }, env)
      const codes: unknown[] = []
      for (const each of [service, unsafe]) codes.push(await replayAfterRestart(each, server))
      expect(codes).toEqual([NONCE, 'accepted'])
    } finally {
      await server.stop()
    }
  })
})
