import { createDeadline } from '@melmastoon/chassis/clock'
import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { type IsoDateTime, newId, problem } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimSending } from '../../src/locks/claim-sending.ts'
import type { LockActionRecord, NewLockAction } from '../../src/locks/lock-action.ts'
import { selectAction } from '../../src/locks/lock-action-sql.ts'
import type { ClaimSending, LockCall, LockControls } from '../../src/locks/lock-deps.ts'
import { reconcileDue } from '../../src/locks/reconciler.ts'
import { runAction } from '../../src/locks/run-action.ts'
import { settle } from '../../src/locks/settle-action.ts'
import { type Simulation, startSimulation } from './simulation/simulate.ts'

let simulation: Simulation
beforeAll(async () => {
  simulation = await startSimulation({ seed: 1 })
  simulation.parts.lock.isFaulty = false
})
afterAll(() => simulation[Symbol.asyncDispose]())

type Lock = typeof simulation.parts.lock.client
const BUSY = 'MELMASTOON.LOCK.GATEWAY_BUSY'
const busy = () => new UpstreamRejection('lock', 409, { code: BUSY })
/** The negative control: every attempt may send. */
const claimAlways: ClaimSending = async (_, { action }) => action

function depsWith(lock: Partial<Lock>, lockControls: LockControls) {
  const { ctx } = simulation.parts
  const upstreams = { ...ctx.upstreams, lock: { ...ctx.upstreams.lock, ...lock } }
  return { ...ctx, upstreams, lockControls: { ...ctx.lockControls, ...lockControls } }
}

function issueOf(): NewLockAction {
  return {
    tenantId: simulation.parts.tenantId,
    propertyId: newId('ppt'),
    reservationId: newId('rsv'),
    actor: { operatorId: newId('opr'), deviceId: newId('dev') },
    vendor: 'ttlock',
    maxDelaySeconds: 120,
    command: {
      action: 'issue',
      rooms: [newId('rmu')],
      kind: 'pin_code',
      isAdditional: false,
      validFrom: '2030-01-01T00:00:00.000Z' as IsoDateTime,
      validUntil: '2030-01-02T00:00:00.000Z' as IsoDateTime,
    },
    keyId: null,
    requestKey: newId('req'),
  }
}

function causeOf() {
  return {
    producerInstance: 'test',
    tenantId: simulation.parts.tenantId,
    requestId: newId('req'),
    traceparent: renderTraceparent(newTrace()),
    occurredAt: new Date(),
  }
}

async function run(deps: ReturnType<typeof depsWith>, planned: NewLockAction) {
  using deadline = createDeadline(10_000)
  const call: LockCall = { deadline, trace: newTrace(), cause: causeOf() }
  return await runAction(deps, { ...planned, plan: async () => planned }, call)
}

/** As another attempt, or an event, records it. */
async function settleAsFailed(action: LockActionRecord): Promise<void> {
  const { ctx, tenantId } = simulation.parts
  const result = { state: 'failed', source: 'event', errorCode: BUSY, latencyMs: 1 } as const
  await ctx.db.withTenant(tenantId, (tx) => settle(ctx, tx, { action, result, cause: causeOf() }))
}

/** Another attempt settles the action just before it is claimed. */
const settledBefore =
  (claim: ClaimSending): ClaimSending =>
  async (deps, claimed, call) => {
    await settleAsFailed(claimed.action)
    return await claim(deps, claimed, call)
  }

async function stateOf({ tenantId, actionId }: LockActionRecord): Promise<string | undefined> {
  const [row] = await simulation.parts.ctx.db.tenantQuery(tenantId, selectAction(actionId))
  return row?.state
}

const keyStates = ({ reservationId }: NewLockAction) =>
  simulation.parts.lock.keysOf(reservationId).map(({ state }) => state)

describe('a repeated request', () => {
  /** The first attempt has no response; the action is settled before the second one claims it. */
  async function repeatAfterSettling(claim: ClaimSending) {
    const planned = issueOf()
    const lost = () => Promise.reject(problem('MELMASTOON.BFF.UPSTREAM_TIMEOUT'))
    const first = await run(depsWith({ issue: lost }, {}), planned)
    expect(first.action.state).toBe('unknown')
    const repeated = run(depsWith({}, { claim: settledBefore(claim) }), planned)
    await expect(repeated).rejects.toMatchObject({ code: BUSY })
    return { state: await stateOf(first.action), keys: keyStates(planned) }
  }

  it('does not send the command of an action that was settled meanwhile', async () => {
    expect(await repeatAfterSettling(claimSending)).toEqual({ state: 'failed', keys: [] })
  })

  it('control: without the claim a key exists for a failed action', async () => {
    expect(await repeatAfterSettling(claimAlways)).toEqual({ state: 'failed', keys: ['active'] })
  })

  /** The first attempt is rejected, but only after the second one has ended or sends as well. */
  async function repeatDuringFirst(claim: ClaimSending) {
    const planned = issueOf()
    const sending = Promise.withResolvers<void>()
    const rejected = Promise.withResolvers<never>()
    const blocked = () => {
      sending.resolve()
      return rejected.promise
    }
    const first = run(depsWith({ issue: blocked }, {}), planned).catch((error: unknown) => error)
    const reject = async () => {
      rejected.reject(busy())
      expect(await first).toMatchObject({ code: BUSY })
    }
    await sending.promise
    const { issue } = simulation.parts.ctx.upstreams.lock
    const afterFirst: Lock['issue'] = async (input, call) => {
      await reject()
      return await issue(input, call)
    }
    const second = await run(depsWith({ issue: afterFirst }, { claim }), planned).catch(() => null)
    await reject()
    return { second: second?.action.state, keys: keyStates(planned) }
  }

  it('does not send a command that another attempt is sending', async () => {
    expect(await repeatDuringFirst(claimSending)).toEqual({ second: 'requested', keys: [] })
  })

  it('control: without the claim a key exists for a rejected attempt', async () => {
    expect(await repeatDuringFirst(claimAlways)).toEqual({ second: undefined, keys: ['active'] })
  })

  it('sends the command again as soon as an attempt without a response has ended', async () => {
    const planned = issueOf()
    const lost = () => Promise.reject(problem('MELMASTOON.BFF.UPSTREAM_TIMEOUT'))
    await run(depsWith({ issue: lost }, {}), planned)
    const repeated = await run(depsWith({}, {}), planned)
    expect([repeated.action.state, keyStates(planned)]).toEqual(['succeeded', ['active']])
  })
})

describe('the reconciler', () => {
  /** A queued revocation is settled between the look and the command. */
  async function revokeAfterSettling(claim: ClaimSending) {
    const planned = issueOf()
    const { action } = await run(depsWith({}, {}), planned)
    const command = { action: 'revoke', rooms: planned.command.rooms, reason: 'lost' } as const
    const { keyId } = action
    const queued = { ...planned, command, keyId, requestKey: newId('req'), isQueued: true }
    const revocation = await run(depsWith({}, {}), queued)
    const deps = depsWith({}, { claim: settledBefore(claim) })
    await reconcileDue(deps, AbortSignal.timeout(10_000))
    return { state: await stateOf(revocation.action), keys: keyStates(planned) }
  }

  it('does not send the command of an action that was settled meanwhile', async () => {
    expect(await revokeAfterSettling(claimSending)).toEqual({ state: 'failed', keys: ['active'] })
  })

  it('control: without the claim the key of a failed revocation is revoked', async () => {
    expect(await revokeAfterSettling(claimAlways)).toEqual({ state: 'failed', keys: ['revoked'] })
  })
})
