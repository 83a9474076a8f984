import { idToUuid, isProblem, newId } from '@melmastoon/domain'
import { sessionRevoked } from '@melmastoon/platform-events'
import { type Latch, latch } from '@melmastoon/testkit'
import type { StaffDevice } from '@melmastoon/testkit/staff-device'
import { iamContract } from '@melmastoon/upstream-contracts/iam'
import type { Static } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REFRESH_RULES, type RefreshRules } from '../../src/modules/iam/decide-refresh.ts'
import type { IamHost } from '../../src/modules/iam/iam.ts'
import { refreshSession } from '../../src/modules/iam/refresh-session.ts'
import { wrapDatabase } from '../payment/wrap-database.ts'
import { clientFor, drainEvents, rejectionOf } from '../start-sandbox.ts'
import { own, type RunningIam, startIam } from './iam-fixture.ts'

let running: RunningIam
beforeAll(async () => {
  running = await startIam()
})
afterAll(() => running[Symbol.asyncDispose]())

const INVALID = 'MELMASTOON.IAM.REFRESH_INVALID'
const REUSED = 'MELMASTOON.IAM.REFRESH_REUSED'
const HOURS_3 = 3 * 3_600_000

const refresh = (refreshToken: string, { jkt }: Pick<StaffDevice, 'jkt'>) =>
  running.iam.refresh({ body: { refreshToken, jkt } })

const revokedSessions = async () => {
  const events = await drainEvents(running.environment, sessionRevoked.subject)
  return events.map(({ payload }) => payload as Static<typeof sessionRevoked.payload>)
}

describe('a refresh', () => {
  it('returns new tokens of the same session, and the new token works', async () => {
    const device = await running.signedIn()
    const first = await refresh(device.tokens.refreshToken, device)
    expect(first).toMatchObject({
      sessionId: device.tokens.sessionId,
      deviceId: device.tokens.deviceId,
      operatorId: device.tokens.operatorId,
      familyExpiresAt: device.tokens.familyExpiresAt,
    })
    expect(first.refreshToken).not.toBe(device.tokens.refreshToken)
    const second = await refresh(first.refreshToken, device)
    expect(second.refreshToken).not.toBe(first.refreshToken)
  })

  it('STAFF-AUTH-12 with another key is rejected, and changes nothing', async () => {
    const device = await running.signedIn()
    const other = await running.device()
    expect(await rejectionOf(refresh(device.tokens.refreshToken, other))).toBe(INVALID)
    await refresh(device.tokens.refreshToken, device)
  })

  it('whose connection was reset returns the same tokens again', async () => {
    const device = await running.signedIn()
    const body = { refreshToken: device.tokens.refreshToken, jkt: device.jkt }
    const unlucky = clientFor(iamContract, running.url, { scenario: 'unanswered=reset' })
    await expect(unlucky.refresh({ body })).rejects.toThrow('UPSTREAM_UNAVAILABLE')
    const [row] = await running.environment.query<{ generation: number }>(
      'select generation from sandbox.iam_token_family where session_id = $1',
      [idToUuid(device.tokens.sessionId)],
    )
    expect(row?.generation, 'the lost request took effect').toBe(2)
    const { refreshToken } = await running.iam.refresh({ body })
    await expect(refresh(refreshToken, device)).resolves.toHaveProperty('accessToken')
  })

  it('STAFF-AUTH-09 whose response was lost succeeds three hours later, at most 3 times', async () => {
    const device = await running.signedIn()
    const parent = device.tokens.refreshToken
    const lost = await refresh(parent, device)
    const successors: string[] = []
    for (const _ of [1, 2, 3]) {
      running.clock.offsetMs += HOURS_3
      successors.push((await refresh(parent, device)).refreshToken)
    }
    expect(new Set([lost.refreshToken, ...successors]).size).toBe(4)
    running.clock.offsetMs += HOURS_3
    expect(await rejectionOf(refresh(parent, device))).toBe(REUSED)
    expect(await rejectionOf(refresh(successors.at(-1) ?? '', device))).toBe(INVALID)
  })

  it('STAFF-AUTH-10 of a token whose successor was used revokes the session, with one event', async () => {
    const device = await running.signedIn()
    const parent = device.tokens.refreshToken
    const { refreshToken } = await refresh(parent, device)
    const latest = await refresh(refreshToken, device)
    expect(await rejectionOf(refresh(parent, device))).toBe(REUSED)
    expect(await rejectionOf(refresh(latest.refreshToken, device))).toBe(INVALID)
    const { sessionId, operatorId, tenantId } = device.tokens
    const events = (await revokedSessions()).filter((payload) => payload.sessionId === sessionId)
    expect(events).toEqual([
      expect.objectContaining({ tenantId, subjectId: operatorId, reasonCode: 'refresh_reused' }),
    ])
    const session = await running.iam.validateSession(
      { params: { sessionId }, query: {} },
      { tenantId },
    )
    expect(session.status).toBe('revoked')
  })

  it('of a replaced successor revokes the session: two parties have tokens', async () => {
    const device = await running.signedIn()
    const parent = device.tokens.refreshToken
    const lost = await refresh(parent, device)
    running.clock.offsetMs += HOURS_3
    await refresh(parent, device)
    expect(await rejectionOf(refresh(lost.refreshToken, device))).toBe(REUSED)
  })

  it.each(['', '.5', 'x'])('of an altered token (%j appended) is rejected only', async (suffix) => {
    const device = await running.signedIn()
    const { refreshToken } = device.tokens
    const altered = suffix === '' ? `${refreshToken.slice(0, -2)}AA` : refreshToken + suffix
    expect(await rejectionOf(refresh(altered, device))).toBe(INVALID)
    await refresh(refreshToken, device)
  })

  it('after 30 days is rejected', async () => {
    const device = await running.signedIn()
    const before = running.clock.offsetMs
    running.clock.offsetMs += 30 * 86_400_000 + 1_000
    expect(await rejectionOf(refresh(device.tokens.refreshToken, device))).toBe(INVALID)
    running.clock.offsetMs = before
  })

  it('contains the roles that the operator has now; a disabled one is signed out', async () => {
    const device = await running.signedIn({ username: 'technician' })
    const { tenantId, operatorId, sessionId, deviceId } = device.tokens
    const change = (body: { isLead?: boolean; status?: 'active' | 'disabled' }) =>
      running.tenant.setOperatorRole(
        {
          params: { operatorId },
          body: { roles: ['front_desk'], actor: { operatorId, deviceId }, ...body },
        },
        own(tenantId),
      )
    await change({})
    const { accessToken, refreshToken } = await refresh(device.tokens.refreshToken, device)
    const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString())
    expect(claims.roles).toEqual(['front_desk'])
    await change({ status: 'disabled' })
    expect(await rejectionOf(refresh(refreshToken, device))).toBe(INVALID)
    await expect
      .poll(async () => (await revokedSessions()).map((payload) => payload.sessionId))
      .toContain(sessionId)
  })
})

describe('50 parallel refreshes of one token', () => {
  it('STAFF-AUTH-11 have one successor, which works', async () => {
    const device = await running.signedIn()
    const { refreshToken } = device.tokens
    const results = await Promise.all(
      Array.from({ length: 50 }, () => refresh(refreshToken, device)),
    )
    const successors = new Set(results.map((result) => result.refreshToken))
    expect(successors.size).toBe(1)
    const [successor = ''] = successors
    await refresh(successor, device)
  })

  it('control: without the rule for repeated requests there are several', async () => {
    const device = await running.signedIn()
    const host = hostWith({ refreshRules: { ...REFRESH_RULES, repeatSeconds: -1 } })
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => refreshDirectly(host, device)),
    )
    const successors = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value.refreshToken] : [],
    )
    expect(new Set(successors).size).toBeGreaterThan(1)
  })
})

describe('a request that is delayed after it read the family', () => {
  it('does not undo a later refresh', async () => {
    const { device, latest, delayed } = await delayedRefresh((host) => host)
    // Its token is now two generations old, which is reuse.
    expect(await problemOf(delayed)).toBe(REUSED)
    expect(await rejectionOf(refresh(latest, device))).toBe(INVALID)
  })

  it('control: without compare-and-set it does', async () => {
    const { device, latest, delayed } = await delayedRefresh(withoutCompareAndSet)
    await expect(delayed).resolves.toHaveProperty('refreshToken')
    expect(await rejectionOf(refresh(latest, device))).toBe(REUSED)
  })
})

/** The host of the running module, changed. */
function hostWith(changes: Partial<IamHost> & { refreshRules?: RefreshRules }): IamHost {
  const { ctx } = running.sandbox
  const { tenant } = ctx.modules
  return { ...ctx, tenant, refreshRules: REFRESH_RULES, ...changes }
}

function refreshDirectly(host: IamHost, { tokens, jkt }: StaffDevice) {
  const { refreshToken, tenantId } = tokens
  return refreshSession(host, { refreshToken, jkt }, causeIn(tenantId))
}

function causeIn(tenantId: StaffDevice['tokens']['tenantId']) {
  return {
    producerInstance: 'test',
    tenantId,
    requestId: newId('req'),
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    occurredAt: running.clock.now(),
  }
}

/** Reads the family, waits until the device has refreshed twice, then goes on. */
async function delayedRefresh(change: (host: IamHost) => IamHost) {
  const device = await running.signedIn()
  const reached = latch()
  const released = latch()
  const host = change(hostWith({}))
  const delayed = refreshDirectly({ ...host, tenant: slowTenant(host, reached, released) }, device)
  delayed.catch(() => undefined)
  await reached.promise
  const { refreshToken } = await refresh(device.tokens.refreshToken, device)
  const { refreshToken: latest } = await refresh(refreshToken, device)
  released.open()
  return { device, latest, delayed }
}

/** The operator is read between the family and its change; there the request waits. */
function slowTenant({ tenant }: IamHost, ...[reached, released]: [Latch, Latch]) {
  return {
    ...tenant,
    async findOperator(...call: Parameters<typeof tenant.findOperator>) {
      reached.open()
      await released.promise
      return await tenant.findOperator(...call)
    },
  }
}

/** The update of the family without its condition. */
function withoutCompareAndSet(host: IamHost): IamHost {
  const edit = (text: string) =>
    text.replace(/and generation = (\$\d+) and replacements = (\$\d+)/, (condition) =>
      condition.replaceAll(' = ', ' >= 0 * '),
    )
  return { ...host, db: wrapDatabase(host.db, { edit }) }
}

async function problemOf(work: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return isProblem(error) ? error.code : undefined
}
