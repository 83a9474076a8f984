import { isProblem, type Problem, problemDocument } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createDeadline, type Deadline } from '../../clock/index.ts'
import {
  type Claim,
  claim,
  isStorable,
  type ResponseDraft,
  renderResponse,
} from '../../idempotency/index.ts'
import { problemContext } from '../error-handler.ts'
import type { Exchange } from './idempotent-handler.ts'
import { sendOutcome, sendStored } from './send-outcome.ts'

/**
 * Returns the response, or `undefined` once it has called `claim.complete` inside its own
 * transaction. A refusal is thrown as a Problem. Upstream calls use `work.deadline`, which ends
 * before the lease; `request.deadline` would end with the client's connection (IDEM-22).
 */
export type IdempotentHandler<R extends FastifyRequest> = (
  request: R,
  claim: Claim,
  work: { readonly deadline: Deadline },
) => Promise<ResponseDraft | undefined>

/** What is left of the lease pays for the last writes. */
const WORK_SHARE_OF_LEASE = 0.8

export async function runOnce<R extends FastifyRequest>(
  exchange: Exchange<R>,
  handler: IdempotentHandler<R>,
): Promise<FastifyReply> {
  const { route, reply, scope, requestHash } = exchange
  const { store, leaseMs, ttlMs } = route.options
  const outcome = await claim(store, scope, { requestHash, leaseMs, ttlMs })
  if (outcome.kind !== 'claimed') return sendOutcome(reply, outcome)
  const response = await carryOut(exchange, outcome.claim, handler)
  return sendStored(reply, response)
}

async function carryOut<R extends FastifyRequest>(
  exchange: Exchange<R>,
  held: Claim,
  handler: IdempotentHandler<R>,
) {
  using work = new Work(exchange.route.options.leaseMs)
  try {
    const draft = await settle(exchange, () => handler(exchange.request, held, work))
    if (held.response === null) await held.complete(checkedDraft(draft))
    if (held.response === null) throw new TypeError('the response was not stored')
    return held.response
  } catch (error) {
    // The lease ends on its own when even this write fails; the first error is the one to report.
    await held.abandon().catch(() => undefined)
    throw error
  }
}

/** Most handlers call nobody, so the timer is made on demand. */
class Work implements Disposable {
  readonly #leaseMs: number
  #deadline: Deadline | null = null

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs
  }

  get deadline(): Deadline {
    this.#deadline ??= createDeadline(this.#leaseMs * WORK_SHARE_OF_LEASE)
    return this.#deadline
  }

  [Symbol.dispose](): void {
    this.#deadline?.[Symbol.dispose]()
  }
}

type Refused = ResponseDraft & { readonly isRefusal: true }

async function settle<R extends FastifyRequest>(
  { route, request }: Exchange<R>,
  work: () => Promise<ResponseDraft | undefined>,
): Promise<ResponseDraft | Refused | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isProblem(error)) throw error
    if (!isStorable(error.status, error.code, route.finalRefusals)) throw error
    return toRefusal(error, request)
  }
}

function toRefusal(refusal: Problem, request: FastifyRequest): Refused {
  request.state.errorCode = refusal.code
  return {
    isRefusal: true,
    status: refusal.status,
    body: problemDocument(refusal, problemContext(request)),
    headers: {
      ...refusal.headers,
      'cache-control': 'no-store',
      'content-type': 'application/problem+json',
    },
  }
}

function checkedDraft(draft: ResponseDraft | Refused | undefined): ResponseDraft {
  if (draft === undefined) throw new TypeError('the handler neither completed nor responded')
  if (!('isRefusal' in draft) && !isStorable(draft.status)) {
    throw new TypeError(
      `an idempotent handler throws a Problem instead of returning ${draft.status}`,
    )
  }
  return renderResponse(draft)
}
