import { createDeadline } from '@melmastoon/chassis/clock'
import { idToUuid, newId, type PropertyId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { createStaffDevice, type StaffDevice } from '@melmastoon/testkit/staff-device'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PUBLIC_URL } from '../harness/backoffice-environment.ts'
import { sessionEvents } from '../harness/session-events.ts'
import { type Backoffice, startWithSandbox } from '../harness/start-backoffice.ts'
import { BASE } from '../harness/test-device.ts'

let running: Backoffice
beforeAll(async () => {
  running = await startWithSandbox({ withFaults: true })
})
afterAll(() => running[Symbol.asyncDispose]())

async function signIn(username = 'desk', algorithm?: 'EdDSA'): Promise<StaffDevice> {
  const device = await createStaffDevice({
    iamUrl: running.sandbox.url,
    baseUrl: `${running.service.url}${BASE}`,
    externalUrl: PUBLIC_URL,
    username,
    ...(algorithm !== undefined && { algorithm }),
  })
  await device.signIn()
  return device
}

async function codeOf(response: Promise<Response>): Promise<unknown> {
  const { status, ...rest } = await toResult(await response)
  return status < 300 ? status : rest.body['code']
}

async function toResult(response: Response) {
  const text = await response.text()
  const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  return { status: response.status, headers: response.headers, body }
}

const REVOKED = 'MELMASTOON.SESSION.REVOKED'

/** The alerts about a session, at the property of the desk. */
async function reuseAlerts(sessionId: string) {
  const desk = await signIn('desk')
  const { body } = await toResult(await desk.fetch('/session'))
  const [propertyId = ''] = body['properties'] as PropertyId[]
  using deadline = createDeadline(5_000)
  const { alerts } = await running.service.ctx.upstreams.notification.listAlerts(
    { params: { propertyId: propertyId as PropertyId }, query: { limit: 200 } },
    { tenantId: desk.tokens.tenantId, deadline },
  )
  return alerts.filter(({ title }) => title.params['sessionId'] === sessionId)
}

describe('staff of the sandbox', () => {
  it.each(['desk', 'housekeeper', 'housekeeping-lead', 'technician', 'manager', 'owner'])(
    '%s signs in and reads the session',
    async (username) => {
      const device = await signIn(username)
      const { status, body } = await toResult(await device.fetch('/session'))
      expect([status, body['operatorId']]).toEqual([200, device.tokens.operatorId])
      expect(body['properties'] === '*').toBe(username === 'owner')
    },
  )

  it('sign out: the session and its tokens end, with one event for each step', async () => {
    const device = await signIn('desk', 'EdDSA')
    expect(await codeOf(device.fetch('/session'))).toBe(200)
    const { sessionId } = device.tokens
    expect(await codeOf(device.fetch('/auth/sign-out', { method: 'POST' }))).toBe(204)
    expect(await codeOf(device.fetch('/session'))).toBe(REVOKED)
    expect(await codeOf(device.refresh())).toBe('MELMASTOON.IAM.REFRESH_INVALID')
    await eventually(async () => {
      const events = await sessionEvents(running.environment, sessionId)
      expect(events).toEqual(['opened', 'closed'])
    })
    const where = `session_id = '${sessionId}' and action = 'session.sign_out'`
    expect(await running.environment.countRows('operator_activity', where)).toBe(1)
  })
})

describe('a refresh', () => {
  it('continues the session', async () => {
    const device = await signIn()
    expect(await codeOf(device.fetch('/session'))).toBe(200)
    const before = device.tokens
    const response = await toResult(await device.refresh())
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(device.tokens.sessionId).toBe(before.sessionId)
    expect(device.tokens.refreshToken).not.toBe(before.refreshToken)
    expect(await codeOf(device.fetch('/session'))).toBe(200)
  })

  it('STAFF-AUTH-09 whose response was lost succeeds hours later', async () => {
    const device = await signIn()
    const parent = device.tokens
    expect(await codeOf(device.refresh())).toBe(200)
    const lost = device.tokens.refreshToken
    device.tokens = parent
    await running.sandbox.environment.query(
      `update ${running.sandbox.environment.schema}.iam_token_family
       set rotated_at = rotated_at - interval '3 hours' where session_id = $1`,
      [idToUuid(parent.sessionId)],
    )
    expect(await codeOf(device.refresh())).toBe(200)
    expect(device.tokens.refreshToken).not.toBe(lost)
    expect(await codeOf(device.fetch('/session'))).toBe(200)
  })

  it('STAFF-AUTH-10 of a used token revokes the session, here within five seconds', async () => {
    const device = await signIn()
    expect(await codeOf(device.fetch('/session'))).toBe(200)
    const stolen = device.tokens
    expect(await codeOf(device.refresh())).toBe(200)
    expect(await codeOf(device.refresh())).toBe(200)
    const { accessToken } = device.tokens
    const ended: string[] = []
    const stop = running.service.ctx.access.onSessionEnded((id) => void ended.push(id))
    device.tokens = stolen
    const reused = await toResult(await device.refresh())
    expect(reused.body['code']).toBe('MELMASTOON.IAM.REFRESH_REUSED')
    expect(reused.headers.get('www-authenticate')).toMatch(/^DPoP /)
    await eventually(
      async () => expect(await codeOf(device.fetch('/session', { accessToken }))).toBe(REVOKED),
      { timeoutMs: 5_000 },
    )
    await eventually(() => expect(ended).toContain(stolen.sessionId))
    stop()
    const metrics = await running.service.ctx.metrics.render()
    expect(metrics).toMatch(/bff_backoffice_force_logout_seconds_bucket\{le="5"\} [1-9]/)
  })

  it('STAFF-AUTH-10 of a used token alerts the managers of every property of the operator', async () => {
    for (const username of ['desk', 'owner']) {
      const device = await signIn(username)
      const { refreshToken, sessionId, operatorId } = device.tokens
      await device.refresh()
      await device.refresh()
      const json = { refreshToken }
      const reused = codeOf(device.fetch('/auth/refresh', { method: 'POST', json }))
      expect(await reused).toBe('MELMASTOON.IAM.REFRESH_REUSED')
      await eventually(async () => {
        const alerts = await reuseAlerts(sessionId)
        expect(alerts).toMatchObject([{ severity: 'critical', resourceId: operatorId }])
        expect(alerts[0]?.audience).toEqual(['general_manager', 'owner'])
      })
    }
  })

  it('STAFF-AUTH-10 alerts as soon as the notification service responds again', async () => {
    const device = await signIn()
    const { refreshToken, sessionId } = device.tokens
    await device.refresh()
    await device.refresh()
    const before = running.faults.count('notification')
    running.faults.set('notification', 'down')
    await device.fetch('/auth/refresh', { method: 'POST', json: { refreshToken } })
    await eventually(() => expect(running.faults.count('notification')).toBeGreaterThan(before))
    running.faults.clear()
    await eventually(async () => expect(await reuseAlerts(sessionId)).toHaveLength(1))
  })

  it('STAFF-AUTH-11 sent fifty times at once has one successor', async () => {
    const device = await signIn()
    const { refreshToken } = device.tokens
    const send = () =>
      device.fetch('/auth/refresh', { method: 'POST', json: { refreshToken } }).then(toResult)
    await send()
    const results = await Promise.all(Array.from({ length: 49 }, send))
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([200]))
    const successors = new Set(results.map(({ body }) => body['refreshToken']))
    expect(successors.size).toBe(1)
  })

  it('STAFF-AUTH-12 with the key of another device is rejected and changes nothing', async () => {
    const [device, thief] = [await signIn(), await signIn('manager')]
    const { refreshToken } = device.tokens
    const stolen = thief.fetch('/auth/refresh', { method: 'POST', json: { refreshToken } })
    expect(await codeOf(stolen)).toBe('MELMASTOON.IAM.REFRESH_INVALID')
    expect(await codeOf(device.refresh())).toBe(200)
  })
})

describe('an operator', () => {
  it('STAFF-AUTH-19 loses a role at once', async () => {
    const device = await signIn('manager')
    const { tenantId, operatorId } = device.tokens
    expect(await codeOf(device.fetch('/session'))).toBe(200)
    const { tenant } = running.service.ctx.upstreams
    using deadline = createDeadline(5_000)
    const { deviceId } = device.tokens
    await tenant.setOperatorRole(
      {
        params: { operatorId },
        body: { roles: ['housekeeping'], actor: { operatorId, deviceId } },
      },
      { tenantId, deadline, idempotencyKey: newId('req') },
    )
    await eventually(
      async () =>
        expect(await codeOf(device.fetch('/session'))).toBe('MELMASTOON.SECURITY.TOKEN_INVALID'),
      { timeoutMs: 5_000 },
    )
    expect(await codeOf(device.refresh())).toBe(200)
    const { body } = await toResult(await device.fetch('/session'))
    expect(body['roles']).toEqual(['housekeeping'])
  })
})

describe('a second factor', () => {
  const purpose = { action: 'lock.revoke', resourceKind: 'reservation', resourceId: newId('rsv') }
  const post = async (device: StaffDevice, path: string, json: unknown) =>
    await toResult(await device.fetch(path, { method: 'POST', json }))

  it('is the signature of a challenge for the action', async () => {
    const device = await signIn('desk')
    const created = await post(device, '/auth/mfa/challenges', purpose)
    expect([created.status, created.body['factors']]).toEqual([201, ['signed_challenge', 'totp']])
    const { challengeId, challenge } = created.body
    const assertion = device.signChallenge(String(challenge))
    const factor = { factor: 'signed_challenge', challengeId, assertion }
    const stolen = { ...purpose, ...factor, resourceId: newId('rsv') }
    const other = await post(device, '/auth/mfa/step-up', stolen)
    expect(other.body['code']).toBe('MELMASTOON.IAM.MFA_FAILED')
    const again = await post(device, '/auth/mfa/challenges', purpose)
    const signed = device.signChallenge(String(again.body['challenge']))
    const { status, body } = await post(device, '/auth/mfa/step-up', {
      ...purpose,
      factor: 'signed_challenge',
      challengeId: again.body['challengeId'],
      assertion: signed,
    })
    expect([status, body['factor']]).toEqual([201, 'signed_challenge'])
  })

  it('STAFF-AUTH-18 is a one-time code, accepted once; wrong ones lock the factor', async () => {
    const device = await signIn('technician')
    const attempt = (code: string) =>
      post(device, '/auth/mfa/step-up', { ...purpose, factor: 'totp', code })
    const code = device.totp()
    expect((await attempt(code)).status).toBe(201)
    const again = await attempt(code)
    expect([again.status, again.body['code']]).toEqual([403, 'MELMASTOON.IAM.MFA_FAILED'])
    const wrong = code === '000000' ? '111111' : '000000'
    for (let time = 0; time < 4; time += 1) await attempt(wrong)
    const locked = await attempt(wrong)
    expect([locked.status, locked.body['code']]).toEqual([429, 'MELMASTOON.IAM.MFA_LOCKED'])
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
