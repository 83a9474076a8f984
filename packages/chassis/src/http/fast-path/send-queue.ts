import type { ServerResponse } from 'node:http'
import type { FastifyContextConfig } from 'fastify'
import type { FastRequest } from './fast-request.ts'
import type { ReadyResponse } from './fast-route.ts'
import { abandonResponse, type FinishOptions, finishResponse } from './finish-response.ts'
import { sendReady } from './send-ready.ts'

export interface QueuedResponse {
  readonly response: ServerResponse
  readonly request: FastRequest
  readonly ready: ReadyResponse
  readonly config: FastifyContextConfig
  readonly options: FinishOptions
}

/**
 * Ready responses are sent together when the requests of this turn of the event loop have been
 * read. Otherwise the receiving program, usually a proxy, is woken by each of them, which costs
 * the sender more than the response.
 */
export class SendQueue {
  #waiting: QueuedResponse[] = []

  add(queued: QueuedResponse): void {
    if (this.#waiting.push(queued) === 1) setImmediate(this.#sendAll)
  }

  readonly #sendAll = (): void => {
    const waiting = this.#waiting
    this.#waiting = []
    for (const queued of waiting) send(queued)
  }
}

function send(queued: QueuedResponse): void {
  const { response, request, ready } = queued
  // Closed by the client: nothing that is written now reaches it, and it is never flushed.
  if (!request.raw.socket.writable) {
    abandonResponse(queued)
    return
  }
  try {
    sendReady(response, request, ready)
    finishResponse(queued)
  } catch (error) {
    endFailed(queued, error)
  }
}

/** The responses that wait behind it are still sent. */
function endFailed(queued: QueuedResponse, error: unknown): void {
  const { response, request, options } = queued
  options.logger.error({ error, requestId: request.id }, 'sending a ready response failed')
  if (!response.headersSent) response.statusCode = 500
  response.destroy()
  abandonResponse(queued)
}
