import type { Deadline } from '@melmastoon/chassis/clock'
import type { Claim } from '@melmastoon/chassis/idempotency'
import { type Id, type IdPrefix, idPattern } from '@melmastoon/domain'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ChangeCall, StaffChange } from '../upstreams/staff-change.ts'

/** An upstream that reads, and one that changes. */
export const CHANGE_DEADLINE_MS = 5_000

export const typedId = <P extends IdPrefix>(prefix: P) =>
  Type.Unsafe<Id<P>>(Type.String({ pattern: idPattern(prefix) }))

/** Of the body of a change. */
export const expectedVersion = () =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'The version that the operator has seen; a newer one rejects the change with 409',
    }),
  )

/** Of the response to a change. */
export const versionMembers = {
  version: Type.Integer({ minimum: 1 }),
  updatedAt: Type.String({ format: 'date-time' }),
}

export const changeBy = (
  { operator }: FastifyRequest,
  { expectedVersion }: { readonly expectedVersion?: number },
): StaffChange => ({ actor: operator, expectedVersion })

/** The key upstream is the same in every attempt of the request. */
export const changeCall = (
  { trace }: FastifyRequest,
  claim: Pick<Claim, 'upstreamKey'>,
  { deadline }: { readonly deadline: Deadline },
): ChangeCall => ({ deadline, trace, idempotencyKey: claim.upstreamKey('change') })
