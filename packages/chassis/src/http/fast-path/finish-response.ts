import type { ServerResponse } from 'node:http'
import type { FastifyContextConfig } from 'fastify'
import { logRequest, type RequestLogOptions } from '../request-context.ts'
import type { FastRequest } from './fast-request.ts'

interface FinishOptions extends RequestLogOptions {
  readonly traffic: { inFlight: number }
}

/**
 * Counts a response that was just written. Usually the operating system has accepted all of it, and
 * the request is over; otherwise it is in flight until the response was sent or the client left.
 */
export function finishResponse(
  ...[response, request, options, config]: [
    response: ServerResponse,
    request: FastRequest,
    options: FinishOptions,
    config: FastifyContextConfig,
  ]
): void {
  const { series } = config
  if (series === undefined) return
  series.start()
  if (response.socket?.writableLength === 0) {
    series.finish(response.statusCode, (performance.now() - request.startedMs) / 1000)
    return
  }
  options.traffic.inFlight += 1
  response.on('close', () => {
    options.traffic.inFlight -= 1
    const durationMs = performance.now() - request.startedMs
    series.finish(response.statusCode, durationMs / 1000)
    if (response.writableFinished) return
    logRequest(options, response, {
      series,
      config,
      durationMs,
      errorCode: null,
      ...idsOf(request),
    })
  })
}

function idsOf({ id: requestId, trace: { traceId } }: FastRequest) {
  return { requestId, traceId }
}
