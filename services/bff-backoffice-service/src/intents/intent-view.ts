import { type FieldError, idPattern, type ProblemCode, toIsoDateTime } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { NEXT_STEPS, rejected, VERDICTS } from './intent.ts'
import type { StoredIntent } from './intent-store.ts'

const instant = (description: string) => Type.String({ format: 'date-time', description })

export const IntentResult = named(
  'IntentResult',
  Type.Object({
    intentId: Type.Union([Type.String({ pattern: idPattern('int') }), Type.Null()], {
      description: 'Null if the intent has no valid id; the position in the list identifies it',
    }),
    pending: Type.Boolean({
      description: 'There is no verdict yet: send the intent again, unchanged, with a new key',
    }),
    replayed: Type.Boolean({ description: 'The verdict was made for an earlier request' }),
    verdict: Type.Optional(Type.Enum([...VERDICTS])),
    by: Type.Optional(
      Type.Union([Type.String({ pattern: idPattern('opr') }), Type.Null()], {
        description: 'Who made the change instead; null for the platform',
      }),
    ),
    at: Type.Optional(instant('When the change was made')),
    current: Type.Optional(
      Type.Object(
        { status: Type.String(), version: Type.Integer() },
        { description: 'Of `superseded`: the resource as it is' },
      ),
    ),
    code: Type.Optional(Type.String({ description: 'Of `rejected`: the code of the problem' })),
    next: Type.Optional(
      Type.Enum([...NEXT_STEPS], { description: 'Of `rejected`: what the device should do' }),
    ),
    errors: Type.Optional(
      Type.Array(
        Type.Object({ pointer: Type.String(), code: Type.String(), detail: Type.String() }),
        {
          description:
            'Of an invalid intent: JSON pointers into the intent, as in the problem of a request. ' +
            'No verdict is stored, so that it can be corrected under the same id',
        },
      ),
    ),
    occurredAt: Type.Optional(instant('By the clock of the device, corrected')),
    clockSuspect: Type.Optional(
      Type.Boolean({ description: 'The clock of the device was wrong or has been changed' }),
    ),
  }),
)
export type IntentResult = Static<typeof IntentResult>

export const pendingResult = (intentId: string): IntentResult => ({
  intentId,
  pending: true,
  replayed: false,
})

/** A verdict that is not stored: there is no row that it could belong to. */
export const rejectedResult = (intentId: string | null, code: ProblemCode): IntentResult => ({
  intentId,
  pending: false,
  replayed: false,
  ...rejected(code),
})

/** Names what is wrong, so that the device can correct the intent. */
export const invalidResult = (
  intentId: string | null,
  errors: readonly FieldError[],
): IntentResult => ({
  ...rejectedResult(intentId, 'MELMASTOON.GENERAL.VALIDATION_FAILED'),
  errors: [...errors],
})

export function describeStored(stored: StoredIntent, replayed: boolean): IntentResult {
  const { intentId, verdict, occurredAt, clockSuspect } = stored
  if (verdict === null) return pendingResult(intentId)
  return {
    intentId,
    pending: false,
    replayed,
    ...verdict,
    ...(occurredAt !== null && { occurredAt: toIsoDateTime(occurredAt) }),
    clockSuspect,
  }
}
