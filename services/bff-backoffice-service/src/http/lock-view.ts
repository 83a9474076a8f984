import { idPattern, toIsoDateTime } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { KEY_KINDS, LOCK_ACTIONS, LOCK_VENDORS } from '@melmastoon/upstream-contracts/lock'
import { Type } from 'typebox'
import {
  isOpen,
  LOCK_OUTCOMES,
  LOCK_STATES,
  type LockActionRecord,
  TRANSITION_SOURCES,
} from '../locks/lock-action.ts'
import type { TransitionRow } from '../locks/lock-action-sql.ts'
import type { ActionResult } from '../locks/run-action.ts'

const dateTime = () => Type.String({ format: 'date-time' })
const nullable = <S extends ReturnType<typeof Type.String>>(schema: S) =>
  Type.Union([schema, Type.Null()])

const members = {
  actionId: Type.String({ pattern: idPattern('lap') }),
  propertyId: Type.String({ pattern: idPattern('ppt') }),
  reservationId: Type.String({ pattern: idPattern('rsv') }),
  action: Type.Enum([...LOCK_ACTIONS]),
  state: Type.Enum([...LOCK_STATES], {
    description: '`succeeded` and `failed` are final; the others are open',
  }),
  outcome: Type.Enum([...LOCK_OUTCOMES], { description: 'As the audit records it' }),
  vendor: Type.Enum([...LOCK_VENDORS]),
  keyId: nullable(Type.String({ pattern: idPattern('key') })),
  roomIds: Type.Array(Type.String({ pattern: idPattern('rmu') })),
  kind: Type.Optional(Type.Enum([...KEY_KINDS])),
  validFrom: Type.Optional(dateTime()),
  validUntil: Type.Optional(dateTime()),
  requestedAt: dateTime(),
  settledAt: nullable(dateTime()),
  errorCode: nullable(Type.String({ maxLength: 120 })),
}

export const LockActionVM = named('LockAction', Type.Object(members))

export const IssuedKeyVM = named(
  'IssuedKey',
  Type.Object({
    ...members,
    secret: Type.Optional(
      Type.Object(
        { pin: Type.String({ pattern: '^[0-9]{4,9}$' }) },
        {
          description:
            'For the guest; it is stored nowhere. The same request with the same key returns it again.',
        },
      ),
    ),
  }),
)

export const LockActionDetailVM = named(
  'LockActionDetail',
  Type.Object({
    ...members,
    transitions: Type.Array(
      Type.Object({
        at: dateTime(),
        state: Type.Enum([...LOCK_STATES]),
        source: Type.Enum([...TRANSITION_SOURCES]),
        applied: Type.Boolean({ description: 'False: it arrived too late to change the state' }),
        sequence: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
        errorCode: nullable(Type.String({ maxLength: 120 })),
      }),
      { maxItems: 200, description: 'All that was reported about the action, oldest first' },
    ),
  }),
)

export function lockActionView(action: LockActionRecord) {
  const { actionId, propertyId, reservationId, state, outcome, vendor, keyId, command } = action
  return {
    actionId,
    propertyId,
    reservationId,
    state,
    outcome,
    vendor,
    keyId,
    action: command.action,
    roomIds: [...command.rooms],
    ...(command.action === 'issue' && { kind: command.kind, validFrom: command.validFrom }),
    ...('validUntil' in command && { validUntil: command.validUntil }),
    requestedAt: toIsoDateTime(action.requestedAt),
    settledAt: action.settledAt === null ? null : toIsoDateTime(action.settledAt),
    errorCode: action.errorCode,
  }
}

export function transitionView(row: TransitionRow) {
  const { at, state, source, sequence } = row
  const applied = row.is_applied
  return { at: toIsoDateTime(at), state, source, applied, sequence, errorCode: row.error_code }
}

/** Most locks respond within seconds. */
const RETRY_AFTER_SECONDS = 2

/** 201: settled. 202: open, with the address where its state can be read. */
export function lockResponse({ action, secret }: ActionResult) {
  const body = { ...lockActionView(action), ...(secret !== undefined && { secret }) }
  const headers = { 'cache-control': 'no-store' }
  if (!isOpen(action)) return { status: 201, body, headers }
  // Relative to the address of the request, which may be that of the gateway.
  const location = `../actions/${action.actionId}`
  const retryAfter = String(RETRY_AFTER_SECONDS)
  return { status: 202, body, headers: { ...headers, location, 'retry-after': retryAfter } }
}
