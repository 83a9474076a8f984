import { newId } from '@melmastoon/domain'
import { createStaffDevice, type StaffDevice } from '@melmastoon/testkit/staff-device'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operator } from '../../src/access/operator.ts'
import { PUBLIC_URL } from '../harness/backoffice-environment.ts'
import { type Backoffice, startWithSandbox } from '../harness/start-backoffice.ts'
import { BASE } from '../harness/test-device.ts'

let running: Backoffice
beforeAll(async () => {
  running = await startWithSandbox()
})
afterAll(() => running[Symbol.asyncDispose]())

const REQUIRED = 'MELMASTOON.SECURITY.STEP_UP_REQUIRED'

async function signIn(username: string): Promise<StaffDevice> {
  const device = await createStaffDevice({
    iamUrl: running.sandbox.url,
    baseUrl: `${running.service.url}${BASE}`,
    externalUrl: PUBLIC_URL,
    username,
  })
  await device.signIn()
  return device
}

const newPurpose = () => ({
  action: 'lock.revoke',
  resourceKind: 'reservation',
  resourceId: newId('rsv'),
})
type Purpose = ReturnType<typeof newPurpose>

async function post(device: StaffDevice, path: string, json: unknown) {
  const response = await device.fetch(path, { method: 'POST', json })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, headers: response.headers, body }
}

async function stepUpBySignature(device: StaffDevice, purpose: Purpose): Promise<string> {
  const created = await post(device, '/auth/mfa/challenges', purpose)
  expect([created.status, created.body['factors']]).toEqual([201, ['signed_challenge', 'totp']])
  const { challengeId, challenge } = created.body
  const assertion = device.signChallenge(String(challenge))
  const factor = { factor: 'signed_challenge', challengeId, assertion }
  const { status, body } = await post(device, '/auth/mfa/step-up', { ...purpose, ...factor })
  expect([status, body['factor']]).toEqual([201, 'signed_challenge'])
  return String(body['attestationId'])
}

/** As the device's own requests are authenticated. */
function operatorOf(device: StaffDevice): Operator {
  const { tenantId, operatorId, deviceId, sessionId } = device.tokens
  return {
    tenantId,
    operatorId,
    deviceId,
    sessionId,
    jkt: device.jkt,
    roles: ['front_desk'],
    isLead: false,
    properties: '*',
    tokenExpiresAt: new Date(),
  }
}

const consume = (operator: Operator, attestationId: string | undefined, rest: Rest) =>
  running.service.ctx.stepUp.consume(operator, { attestationId, ...rest }).then(
    () => 'consumed',
    ({ code }: { readonly code: string }) => code,
  )
interface Rest {
  readonly purpose: Purpose
  readonly usedBy: string
}

describe('an attestation', () => {
  it('STAFF-AUTH-17 is used by one of 100 requests, again by its repetitions only', async () => {
    const device = await signIn('desk')
    const operator = operatorOf(device)
    const purpose = newPurpose()
    const id = await stepUpBySignature(device, purpose)
    const requests = Array.from({ length: 100 }, (_, at) => `request ${at}`)
    const results = await Promise.all(
      requests.map((usedBy) => consume(operator, id, { purpose, usedBy })),
    )
    expect(results.filter((result) => result === 'consumed')).toHaveLength(1)
    expect(new Set(results)).toEqual(new Set(['consumed', REQUIRED]))
    const usedBy = requests[results.indexOf('consumed')] ?? ''
    expect(await consume(operator, id, { purpose, usedBy })).toBe('consumed')
    const metrics = await running.service.ctx.metrics.render()
    expect(metrics).toMatch(/mfa_attestation_total\{scope="lock.revoke",outcome="used"\} 2/)
    expect(metrics).toMatch(/mfa_attestation_total\{scope="lock.revoke",outcome="refused"\} 99/)
  })

  it('STAFF-AUTH-17 is for one action, resource, session, device and operator', async () => {
    const device = await signIn('manager')
    const operator = operatorOf(device)
    const purpose = newPurpose()
    const id = await stepUpBySignature(device, purpose)
    const usedBy = 'the request'
    const wrong: [Operator, string | undefined, Purpose][] = [
      [operator, undefined, purpose],
      [operator, newId('mfa'), purpose],
      [operator, 'x', purpose],
      [operator, id, { ...purpose, action: 'folio.charge' }],
      [operator, id, { ...purpose, resourceKind: 'folio' }],
      [operator, id, { ...purpose, resourceId: newId('rsv') }],
      [{ ...operator, tenantId: newId('tnt') }, id, purpose],
      [{ ...operator, operatorId: newId('opr') }, id, purpose],
      [{ ...operator, sessionId: newId('bos') }, id, purpose],
      [{ ...operator, jkt: 'A'.repeat(43) }, id, purpose],
    ]
    for (const [who, given, what] of wrong) {
      expect(await consume(who, given, { purpose: what, usedBy })).toBe(REQUIRED)
    }
    expect(await consume(operator, id, { purpose, usedBy })).toBe('consumed')
  })

  it('expires after five minutes', async () => {
    const device = await signIn('owner')
    const id = await stepUpBySignature(device, newPurpose())
    const key = `bff-backoffice-service:v1:mfa:${id}`
    const lifeMs = await running.service.ctx.sessionRedis.pttl(key)
    expect(lifeMs).toBeGreaterThan(290_000)
    expect(lifeMs).toBeLessThanOrEqual(300_000)
  })
})

describe('a one-time code', () => {
  it('STAFF-AUTH-18 is accepted once; wrong ones lock the factor', async () => {
    const device = await signIn('technician')
    const attempt = (code: string) =>
      post(device, '/auth/mfa/step-up', { ...newPurpose(), factor: 'totp', code })
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
