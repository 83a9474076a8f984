import type { ProvisionalResponse } from '@melmastoon/chassis/http'
import {
  type Claim,
  claim,
  finalRejectionSet,
  fingerprint,
  isStorable,
  type Mutation,
  type ResponseDraft,
  rejectionOf,
  writeOnce,
} from '@melmastoon/chassis/idempotency'
import { isProblem, type ProblemCode, type TenantId } from '@melmastoon/domain'
import type { ProcessDeps } from './process-deps.ts'

/** A request with an idempotency key, without the HTTP around it. */
export interface KeyedRequest {
  readonly tenantId: TenantId
  readonly sessionId: string
  readonly operation: string
  readonly key: string
  readonly body: unknown
  readonly finalRejections?: readonly ProblemCode[]
}

export type RequestOutcome =
  | { readonly kind: 'response'; readonly response: ResponseDraft }
  | { readonly kind: 'replay' | 'in_flight' | 'reused' }

const DAY_MS = 86_400_000
const LEASE_MS = 10_000

type Handler = (held: Claim) => Promise<Mutation | ProvisionalResponse | undefined>

/** What `idempotent` does for a route: claim, execute, complete; or abandon. */
export async function executeOnce(
  { idempotency }: Pick<ProcessDeps, 'idempotency'>,
  request: KeyedRequest,
  handler: Handler,
): Promise<RequestOutcome> {
  const outcome = await claim(idempotency, { ...keyedOf(request), leaseMs: LEASE_MS })
  if (outcome.kind !== 'claimed') return { kind: outcome.kind }
  const { claim: held } = outcome
  try {
    return { kind: 'response', response: await execute(held, request, handler) }
  } catch (error) {
    await held.abandon().catch(() => undefined)
    throw error
  }
}

async function execute(
  held: Claim,
  { finalRejections = [] }: KeyedRequest,
  handler: Handler,
): Promise<ResponseDraft> {
  try {
    const mutation = await handler(held)
    if (mutation === undefined) return responseOf(held)
    if ('provisional' in mutation) {
      await held.abandon()
      return mutation.provisional
    }
    if (!(await held.complete(mutation))) throw rejectionOf(mutation)
    return mutation.response
  } catch (error) {
    const isFinal =
      isProblem(error) && isStorable(error.status, error.code, finalRejectionSet(finalRejections))
    if (!isFinal) throw error
    await held.complete({ response: { status: error.status, body: { code: error.code } } })
    throw error
  }
}

/** The handler has completed the claim itself. */
function responseOf({ response }: Claim): ResponseDraft {
  if (response === null) throw new TypeError('the handler neither completed nor responded')
  return { status: response.status, body: JSON.parse(String(response.body)) as unknown }
}

/** What `idempotentWrite` does for a route. */
export async function writeRequest(
  { idempotency }: Pick<ProcessDeps, 'idempotency'>,
  request: KeyedRequest,
  mutation: Mutation,
): Promise<RequestOutcome> {
  const outcome = await writeOnce(idempotency, keyedOf(request), mutation)
  if (outcome.kind === 'no_effect') throw rejectionOf(mutation)
  if (outcome.kind === 'done') return { kind: 'response', response: mutation.response }
  return { kind: outcome.kind }
}

function keyedOf({ tenantId, sessionId, operation, key, body }: KeyedRequest) {
  const service = 'bff-tenant-booking-service'
  const scope = { service, tenantId, principal: sessionId, operation, key }
  return { scope, requestHash: fingerprint(body), ttlMs: DAY_MS }
}
