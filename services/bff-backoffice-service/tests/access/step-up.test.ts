import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Operator } from '../../src/access/operator.ts'
import { type BackofficeWithFakes, startWithFakes } from '../harness/start-with-fakes.ts'
import { TestDevice } from '../harness/test-device.ts'

let running: BackofficeWithFakes
let device: TestDevice
let operator: Operator
beforeAll(async () => {
  running = await startWithFakes()
  const attested = { attestedAt: '2026-04-23T09:14:22.000Z', factor: 'totp' }
  running.platform.overrides.set('attest', () => ({ status: 200, body: attested }))
})
beforeEach(async () => {
  const { platform } = running
  device = await TestDevice.signIn(platform, platform.newOperator())
  operator = operatorOf(device)
})
afterAll(() => running[Symbol.asyncDispose]())

const REQUIRED = 'MELMASTOON.SECURITY.STEP_UP_REQUIRED'

const newPurpose = () => ({
  action: 'lock.revoke',
  resourceKind: 'reservation',
  resourceId: newId('rsv'),
})
type Purpose = ReturnType<typeof newPurpose>

async function stepUp(purpose: Purpose): Promise<string> {
  const json = { ...purpose, factor: 'totp', code: '123456' }
  const key = crypto.randomUUID()
  const path = '/auth/mfa/step-up'
  const { status, body } = await device.send(running.service, { method: 'POST', path, json, key })
  expect(status).toBe(201)
  return String(body['attestationId'])
}

/** As the device's own requests are authenticated. */
function operatorOf({ tenantId, operatorId, deviceId, sessionId, jkt }: TestDevice): Operator {
  const ids = { tenantId, operatorId, deviceId, sessionId, jkt }
  const tokenExpiresAt = new Date()
  return { ...ids, roles: ['front_desk'], isLead: false, properties: '*', tokenExpiresAt }
}

interface Rest {
  readonly purpose: Purpose
  readonly usedBy: string
}

const consume = (who: Operator, attestationId: string | undefined, rest: Rest) =>
  running.service.ctx.stepUp.consume(who, { attestationId, ...rest }).then(
    () => 'consumed',
    ({ code }: { readonly code: string }) => code,
  )

describe('the request for an attestation', () => {
  it.each([
    ['/code', { factor: 'totp' }],
    ['/code', { factor: 'totp', code: '12345' }],
    ['/assertion', { factor: 'signed_challenge', challengeId: newId('chl') }],
    ['/challengeId', { factor: 'totp', code: '123456', challengeId: newId('chl') }],
    ['/factor', { factor: 'sms', code: '123456' }],
    ['/action', { factor: 'totp', code: '123456', action: 'lock.nuke' }],
    ['/resourceKind', { factor: 'totp', code: '123456', resourceKind: 'hotel' }],
  ])('is 400 for an invalid %s, before a code is used', async (pointer, wrong) => {
    const before = running.platform.count('attest')
    const json = { ...newPurpose(), ...wrong }
    const sent = { json, key: crypto.randomUUID() }
    const { status, body } = await device.send(running.service, {
      method: 'POST',
      path: '/auth/mfa/step-up',
      ...sent,
    })
    expect([status, body['code']]).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
    const errors = body['errors'] as readonly { readonly pointer: string }[]
    expect(errors.map((each) => each.pointer)).toEqual([pointer])
    expect(running.platform.count('attest')).toBe(before)
  })
})

describe('an attestation', () => {
  it('STAFF-AUTH-17 is used by one of 100 requests, again by its repetitions only', async () => {
    const purpose = newPurpose()
    const id = await stepUp(purpose)
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
    expect(metrics).toMatch(/mfa_attestation_total\{scope="lock.revoke",outcome="rejected"\} 99/)
  })

  it('STAFF-AUTH-17 would be used by several, if reading and marking were two steps', async () => {
    const id = await stepUp(newPurpose())
    const { sessionRedis } = running.service.ctx
    const key = `bff-backoffice-service:v1:mfa:${id}`
    const consumeInTwoSteps = async (_: unknown, at: number) => {
      const stored = (await sessionRedis.get(key)) ?? ''
      if (!stored.endsWith(']')) return REQUIRED
      await sessionRedis.set(key, `${stored} request ${at}`, 'KEEPTTL')
      return 'consumed'
    }
    const results = await Promise.all(Array.from({ length: 100 }, consumeInTwoSteps))
    expect(results.filter((result) => result === 'consumed').length).toBeGreaterThan(1)
  })

  it('STAFF-AUTH-17 is for one action, resource, session, device and operator', async () => {
    const purpose = newPurpose()
    const id = await stepUp(purpose)
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

  /** The replica that takes over has not received that the attestation was used. */
  async function useAfterFailover(isFailover: boolean): Promise<string> {
    const purpose = newPurpose()
    const id = await stepUp(purpose)
    const { sessionRedis } = running.service.ctx
    const key = `bff-backoffice-service:v1:mfa:${id}`
    const unused = (await sessionRedis.get(key)) ?? ''
    expect(await consume(operator, id, { purpose, usedBy: 'first' })).toBe('consumed')
    await sessionRedis.set(key, unused, 'PX', 60_000)
    const name = 'bff-backoffice-service:v1:proof-epoch:name'
    expect(await sessionRedis.exists(name)).toBe(1)
    if (isFailover) await sessionRedis.set(name, crypto.randomUUID())
    // As by a reconnection.
    sessionRedis.emit('ready')
    return await consume(operator, id, { purpose, usedBy: 'second' })
  }

  it('STAFF-AUTH-17 cannot be used again after a failover that lost its use', async () => {
    expect(await useAfterFailover(true)).toBe(REQUIRED)
  })

  it('STAFF-AUTH-17 could be used again, if the epoch were the same', async () => {
    expect(await useAfterFailover(false)).toBe('consumed')
  })

  it('expires after five minutes', async () => {
    const id = await stepUp(newPurpose())
    const key = `bff-backoffice-service:v1:mfa:${id}`
    const lifeMs = await running.service.ctx.sessionRedis.pttl(key)
    expect(lifeMs).toBeGreaterThan(290_000)
    expect(lifeMs).toBeLessThanOrEqual(300_000)
  })
})
