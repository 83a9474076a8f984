import { newId, type TenantId } from '@melmastoon/domain'
import { barrier } from '@melmastoon/testkit'
import type { StaffDevice } from '@melmastoon/testkit/staff-device'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tenantCall } from '../../src/control-room/operator-call.ts'
import { createIamModule } from '../../src/modules/iam/module.ts'
import { wrapDatabase } from '../payment/wrap-database.ts'
import { rejectionOf } from '../start-sandbox.ts'
import { own, type RunningIam, startIam } from './iam-fixture.ts'

let running: RunningIam
let device: StaffDevice
beforeAll(async () => {
  running = await startIam()
  device = await running.signedIn()
})
afterAll(() => running[Symbol.asyncDispose]())
/** Every test starts with steps that no test has used, and without wrong attempts. */
beforeEach(() => {
  running.clock.offsetMs += 10 * 60_000
})

const FAILED = 'MELMASTOON.IAM.MFA_FAILED'
const LOCKED = 'MELMASTOON.IAM.MFA_LOCKED'

/** The cause of calls without HTTP. */
const SYSTEM = {
  causeFor: (tenantId: TenantId | null) => ({
    producerInstance: 'test',
    tenantId,
    requestId: newId('req'),
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    occurredAt: running.clock.now(),
  }),
}

type Attest = Parameters<RunningIam['iam']['attest']>[0]['body']

function purposeOf({ tokens }: StaffDevice) {
  const { operatorId, deviceId } = tokens
  return { operatorId, deviceId, action: 'key.revoke', resourceKind: 'key', resourceId: 'key_1' }
}

function attest(changes: Partial<Attest>, of = device, key = newId('req')) {
  const { sessionId, tenantId } = of.tokens
  const body: Attest = { ...purposeOf(of), sessionId, factor: 'totp', ...changes }
  return running.iam.attest({ body }, { tenantId, idempotencyKey: key })
}

async function challengeFor(changes: Partial<ReturnType<typeof purposeOf>> = {}) {
  const { tenantId } = device.tokens
  const body = { ...purposeOf(device), ...changes }
  const { challengeId, challenge } = await running.iam.createMfaChallenge({ body }, own(tenantId))
  const assertion = device.signChallenge(challenge)
  return { factor: 'signed_challenge' as const, challengeId, assertion }
}

describe('one-time codes', () => {
  it('STAFF-AUTH-18 are accepted once', async () => {
    const code = device.totp()
    await attest({ code })
    expect(await rejectionOf(attest({ code }))).toBe(FAILED)
    await attest({ code: device.totp(1) })
    expect(await rejectionOf(attest({ code: device.totp(-1) }))).toBe(FAILED)
  })

  it('are accepted once, also by 20 parallel attempts', async () => {
    const code = device.totp()
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => attest({ code })))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('control: without the lock of the credential a code is accepted twice', async () => {
    const { ctx } = running.sandbox
    const both = barrier(2)
    const db = wrapDatabase(ctx.db, {
      edit: (text) => text.replace('for update', ''),
      before: async (text) => {
        if (text.includes('update sandbox.iam_credential')) await both.arrive()
      },
    })
    const { handlers } = createIamModule({ ...ctx, db }, { tenant: ctx.modules.tenant })
    const { sessionId, tenantId } = device.tokens
    const body = { ...purposeOf(device), sessionId, factor: 'totp' as const, code: device.totp() }
    const call = { ...tenantCall(SYSTEM, tenantId) }
    const attempts = [handlers.attest({ body }, call), handlers.attest({ body }, call)]
    expect(await Promise.all(attempts)).toHaveLength(2)
  })

  it('are not consumed twice by a retry with the same idempotency key', async () => {
    const code = device.totp()
    const key = newId('req')
    const first = await attest({ code }, device, key)
    expect(await attest({ code }, device, key)).toEqual(first)
  })

  it('lock after five wrong ones for five minutes, with the time to wait', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await rejectionOf(attest({ code: '000000' }))).toBe(FAILED)
    }
    const error: unknown = await attest({ code: device.totp() }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: LOCKED, document: { retryAfter: expect.any(Number) } })
    expect(await rejectionOf(challengeFor())).toBe(LOCKED)
    running.clock.offsetMs += 5 * 60_000 + 1_000
    await attest({ code: device.totp() })
  })

  it('count as wrong when they are missing', async () => {
    expect(await rejectionOf(attest({}))).toBe(FAILED)
  })
})

describe('signed challenges', () => {
  it('are accepted once, any number within 30 seconds', async () => {
    const signed = await challengeFor()
    expect(await attest(signed)).toMatchObject({ factor: 'signed_challenge' })
    expect(await rejectionOf(attest(signed))).toBe(FAILED)
    await attest(await challengeFor())
  })

  it.each([
    ['another action', { action: 'charge.post' }],
    ['another resource', { resourceId: 'key_2' }],
    ['another kind', { resourceKind: 'room' }],
  ])('STAFF-AUTH-17 are not accepted for %s', async (_, changes) => {
    const signed = await challengeFor()
    expect(await rejectionOf(attest({ ...signed, ...changes }))).toBe(FAILED)
    expect(await rejectionOf(attest(signed)), 'a challenge is for one attempt').toBe(FAILED)
  })

  it('are not accepted from another device', async () => {
    const signed = await challengeFor()
    const other = await running.signedIn()
    expect(await rejectionOf(attest(signed, other))).toBe(FAILED)
  })

  it('are not accepted with another signature, or after five minutes', async () => {
    const signed = await challengeFor()
    const assertion = device.signChallenge('another text')
    expect(await rejectionOf(attest({ ...signed, assertion }))).toBe(FAILED)
    const late = await challengeFor()
    running.clock.offsetMs += 5 * 60_000 + 1_000
    expect(await rejectionOf(attest(late))).toBe(FAILED)
  })
})

describe('attestations', () => {
  it('require an active session of the operator and device', async () => {
    const other = await running.signedIn({ username: 'manager' })
    const { sessionId, tenantId } = other.tokens
    const notFound = 'MELMASTOON.IAM.SESSION_NOT_FOUND'
    expect(await rejectionOf(attest({ sessionId, code: device.totp() }))).toBe(notFound)
    const params = { sessionId }
    await running.iam.revokeSession({ params, body: { reasonCode: 'test' } }, own(tenantId))
    expect(await rejectionOf(attest({ code: other.totp() }, other))).toBe(notFound)
  })

  it('are possible with the listed factors', async () => {
    const { operatorId, tenantId } = device.tokens
    const { factors } = await running.iam.factors({ params: { operatorId } }, { tenantId })
    expect(factors).toEqual(['signed_challenge', 'totp'])
  })
})
