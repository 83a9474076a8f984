import { isProblem, type ProblemCode, type PropertyId } from '@melmastoon/domain'
import { mayUseProperty, type Operator } from '../access/operator.ts'
import { isAllowed } from '../access/role-table.ts'
import type { StaffCall } from '../events/staff-call.ts'
import type { BoundIntent, BoundResource } from './define-intent.ts'
import { type Finding, rejected, type Verdict } from './intent.ts'

export interface Evaluated {
  readonly operation: string
  readonly bound: BoundIntent
  readonly operator: Operator
  /** An earlier attempt may have made the change, and nobody knows. */
  readonly isRepeated: boolean
  /** Why the intent cannot be applied whatever the state of its resource; null: nothing. */
  readonly obstacle: ProblemCode | null
  /** Whether no later attempt can have read the resource yet. */
  readonly isClaimed: () => boolean
}

const NOT_FOUND = 'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'

/**
 * Reads, decides and applies. Role and scope are those of now, but a change that an earlier attempt
 * made is `applied` whatever has changed since. @throws when the outcome is not known
 */
export async function evaluateIntent(evaluated: Evaluated, call: StaffCall): Promise<Finding> {
  if (!evaluated.isRepeated) {
    const obstacle = obstacleOf(evaluated)
    if (obstacle !== null) return found(rejected(obstacle), null)
  }
  try {
    return await decide(evaluated, call)
  } catch (error) {
    if (isProblem(error) && error.code === NOT_FOUND) return found(rejected(NOT_FOUND), null)
    throw error
  }
}

function obstacleOf({ operation, operator, obstacle, bound }: Evaluated): ProblemCode | null {
  if (!isAllowed(operation, operator)) return 'MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN'
  return obstacle ?? bound.forbidden(operator)
}

/** After a rejection the resource is read again, once: it tells whether another was faster. */
async function decide(evaluated: Evaluated, call: StaffCall): Promise<Finding> {
  let conflict: ProblemCode | null = null
  for (;;) {
    const resource = await evaluated.bound.read(call)
    const { propertyId } = resource
    const verdict = judge(evaluated, resource)
    if (verdict !== null) return found(verdict, propertyId)
    // A later attempt that read an earlier version may store that the change was not made.
    if (!evaluated.isClaimed()) throw new Error('the claim ended before the change was made')
    const code = await tryApply(evaluated.bound, resource, call)
    if (code === null) return found({ verdict: 'applied' }, propertyId)
    if (conflict !== null) return found(rejected(code), propertyId)
    conflict = code
  }
}

/** Null: the intent can be applied. */
function judge(evaluated: Evaluated, resource: BoundResource): Verdict | null {
  const { operator } = evaluated
  const { isOwn, done, unexpected, propertyId } = resource
  if (isOwn) return { verdict: 'applied' }
  if (!mayUseProperty(operator, propertyId)) return rejected(NOT_FOUND)
  const obstacle = obstacleOf(evaluated)
  if (obstacle !== null) return rejected(obstacle)
  if (done !== null) return { verdict: 'already_done', ...done }
  if (unexpected !== null) return { verdict: 'superseded', ...unexpected }
  return null
}

/** The code of a definite rejection; null: applied. @throws when the outcome is not known */
async function tryApply(
  { rejections }: BoundIntent,
  resource: BoundResource,
  call: StaffCall,
): Promise<ProblemCode | null> {
  try {
    await resource.apply(call)
    return null
  } catch (error) {
    if (isProblem(error) && rejections.includes(error.code)) return error.code
    throw error
  }
}

const found = (verdict: Verdict, propertyId: PropertyId | null): Finding => ({
  verdict,
  propertyId,
})
