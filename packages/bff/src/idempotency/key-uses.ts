import type { TimeLimit } from '@melmastoon/chassis/clock'
import {
  type CallerScope,
  type IdempotencyStore,
  type KeyUse,
  lookupKey,
  pathKey,
} from '@melmastoon/chassis/idempotency'
import { problem } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'

const KeyUses = named(
  'KeyUses',
  Type.Object({
    uses: Type.Array(
      Type.Object({
        operation: Type.String({ description: 'The `operationId` of the request' }),
        status: Type.Union([Type.Integer(), Type.Null()], {
          description:
            'Of the stored response. Null while the request is in progress, and where no response is ' +
            'stored because it has a secret or is not final: the request can be repeated',
        }),
      }),
    ),
  }),
)

/** Of `GET /idempotency/{key}`. The form of the key is checked by `readKeyUses`, as in a header. */
export const keyUsesSchema = {
  params: Type.Object({
    key: Type.String({
      description:
        'The `Idempotency-Key` of the request in question: 16 to 255 visible ASCII characters, no comma',
    }),
  }),
  response: { 200: KeyUses },
}

export const KEY_USES_PROBLEMS = [
  'MELMASTOON.IDEMPOTENCY.KEY_INVALID',
  'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
] as const

/** Every operation for which the caller used the key (D24). */
export async function readKeyUses(
  store: IdempotencyStore,
  caller: CallerScope,
  deadline: TimeLimit,
): Promise<{ uses: KeyUse[] }> {
  const key = pathKey(caller.key, '/params/key')
  const uses = await lookupKey(store, { ...caller, key }, deadline)
  if (uses.length === 0) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  return { uses }
}
