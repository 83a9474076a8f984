import type { ApiProblem } from './api-problem.ts'
import { ApiUnreachable } from './api-unreachable.ts'
import { type CallDeadline, startDeadline } from './call-deadline.ts'
import type { SendFunction } from './cookie-jar.ts'
import { keyOf, withKey } from './idempotency-key.ts'
import { readProblem } from './read-problem.ts'
import { untilAborted } from './until-aborted.ts'

export interface SendOptions {
  readonly fetch: SendFunction
  readonly timeoutMs: number
  readonly retries: number
  readonly firstPauseMs: number
  readonly random: () => number
  readonly newKey: () => string
  /** 304 is a success: the caller has the content. */
  readonly acceptsNotModified?: boolean
}

/**
 * Sends until there is a definite response. Every attempt of a mutation carries the same key, so a
 * retry after a lost response does not repeat the effect. @throws ApiProblem for anything but a
 * success, ApiUnreachable when no response came
 */
export async function sendRequest(request: Request, options: SendOptions): Promise<Response> {
  const key = keyOf(request, options.newKey)
  const deadline = startDeadline(options.timeoutMs, request.signal)
  try {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await attemptOnce(request, { options, key, deadline })
      if (outcome instanceof Response) return outcome
      const waitMs = pauseBefore(outcome, attempt, options)
      if (waitMs === null || waitMs >= deadline.remainingMs()) throw outcome
      await deadline.pause(waitMs)
    }
  } finally {
    deadline.clear()
  }
}

interface Attempt {
  options: SendOptions
  key: string | null
  deadline: CallDeadline
}

/** The body is read here: a response that is cut off is retried like one that never began. */
async function attemptOnce(
  request: Request,
  { options, key, deadline }: Attempt,
): Promise<Response | ApiProblem | ApiUnreachable> {
  try {
    const init = { headers: withKey(request, key), signal: deadline.signal }
    const sent = options.fetch(new Request(request.clone(), init))
    const response = await untilAborted(sent, deadline.signal)
    const body = await untilAborted(response.arrayBuffer(), deadline.signal)
    const isKnown = options.acceptsNotModified === true && response.status === 304
    if (!response.ok && !isKnown) return readProblem(response, new TextDecoder().decode(body), key)
    const { status, statusText, headers } = response
    return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers })
  } catch (cause) {
    if (request.signal.aborted) throw cause
    const reason = deadline.hasPassed() ? 'deadline' : 'network'
    return new ApiUnreachable(reason, { idempotencyKey: key, cause })
  }
}

/**
 * Null when a retry is useless. Doubles from the first pause, with jitter, or follows Retry-After.
 */
function pauseBefore(
  failure: ApiProblem | ApiUnreachable,
  attempt: number,
  { retries, firstPauseMs, random }: SendOptions,
): number | null {
  if (attempt > retries) return null
  const backoffMs = firstPauseMs * 2 ** (attempt - 1) * (0.5 + random() / 2)
  if (failure instanceof ApiUnreachable) return failure.reason === 'deadline' ? null : backoffMs
  // A challenge has to be solved first.
  if (!failure.retriable || failure.document['challenge'] !== undefined) return null
  return Math.max(backoffMs, (failure.retryAfterSeconds ?? 0) * 1_000)
}
