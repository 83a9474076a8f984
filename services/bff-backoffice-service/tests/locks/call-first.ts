import { crashPoint } from '@melmastoon/chassis/lifecycle'
import { newId } from '@melmastoon/domain'
import { beginAction } from '../../src/locks/begin-action.ts'
import type { BeginAction } from '../../src/locks/lock-deps.ts'
import { sendCommand } from '../../src/locks/send-command.ts'

/** The negative control of STAFF-LOCK-01: the command is sent before the audit has a row. */
export const callFirst: BeginAction = async (deps, planned, call) => {
  const actionId = newId('lap')
  const unrecorded = {
    ...planned,
    actionId,
    targetId: null,
    state: 'requested',
    outcome: 'pending',
    errorCode: null,
    requestedAt: deps.clock.now(),
    settledAt: null,
    sentSeconds: 0,
    ageSeconds: 0,
    tries: 0,
  } as const
  await sendCommand(deps, unrecorded, call)
  crashPoint('locks.after_call')
  return await beginAction(deps, { ...planned, actionId }, call)
}
