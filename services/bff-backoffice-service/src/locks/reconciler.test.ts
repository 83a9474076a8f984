import type { Statement } from '@melmastoon/chassis/db'
import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { insertFollowUp, type NewFollowUp, postponeFollowUp } from './follow-up-sql.ts'
import type { NewLockAction } from './lock-action.ts'
import { insertAction, LOCKS_TOPIC, postponeAction, selectHealth } from './lock-action-sql.ts'
import { startLockReconciler } from './reconciler.ts'

type Deps = Parameters<typeof startLockReconciler>[0]

describe('the lock reconciler', () => {
  it('looks when it is woken, and reads its metrics once a second at most', async () => {
    const wakes: (() => void)[] = []
    const looks = { health: 0, all: 0 }
    const deps: Deps = {
      relayDb: {
        async query({ text }: Statement<unknown>) {
          looks.all += 1
          if (text === selectHealth().text) looks.health += 1
          return []
        },
      },
      errors: { for: () => (error: unknown) => expect.fail(String(error)) },
      lockControls: {},
      announcements: {
        subscribe: (_topic: string, wake: () => void) => (wakes.push(wake), () => undefined),
        isListening: () => true,
      },
    } as never
    const beganMs = performance.now()
    const worker = startLockReconciler(deps)
    while (looks.all < 20) {
      for (const wake of wakes) wake()
      await new Promise(setImmediate)
    }
    await worker.stop()
    expect(looks.health).toBeLessThanOrEqual(1 + (performance.now() - beganMs) / 1_000)
  })
})

describe('work that is due later wakes no reconciler; control: due work does', () => {
  const ids = { tenantId: newId('tnt'), propertyId: newId('ppt'), reservationId: newId('rsv') }
  const actionId = newId('lap')
  const actor = { operatorId: newId('opr'), deviceId: newId('dev') }
  const command = { action: 'revoke', keyId: newId('key'), rooms: [] }
  const action = { ...ids, actor, command, requestKey: 'key', keyId: null, maxDelaySeconds: 1 }
  const newAction: NewLockAction = action as never
  const followUp: NewFollowUp = {
    ...ids,
    eventId: newId('evt'),
    kind: 'stay_ended',
    reason: 'checkout',
    roomIds: [],
    priorRoomIds: [],
  } as never
  const scheduling = { nextMs: 10_000, leaseMs: 12_000 }

  it.each([
    ['an action', insertAction(newAction, actionId, scheduling), false],
    ['a queued action', insertAction({ ...newAction, isQueued: true }, actionId, scheduling), true],
    ['a postponed action', postponeAction({ ...ids, actionId }, { nextMs: 10_000 }), false],
    ['an action due now', postponeAction({ ...ids, actionId }, { nextMs: 0 }), true],
    ['a follow-up', insertFollowUp(followUp, 10_000), false],
    ['a follow-up due now', insertFollowUp(followUp, 0), true],
    ['a follow-up that is done', postponeFollowUp(newId('evt'), null), false],
  ])('%s', (_what, { announces }, isDue) => {
    expect(announces).toEqual(isDue ? [LOCKS_TOPIC] : [])
  })
})
