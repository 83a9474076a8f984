import type { ServerResponse } from 'node:http'
import type { FastifyContextConfig } from 'fastify'
import type { RouteSeries } from '../../telemetry/index.ts'
import { logRequest, type RequestLogOptions } from '../request-context.ts'
import type { FastRequest } from './fast-request.ts'

export interface FinishOptions extends RequestLogOptions {
  readonly traffic: { inFlight: number }
}

export interface SentResponse {
  readonly response: ServerResponse
  readonly request: FastRequest
  readonly config: FastifyContextConfig
  readonly options: FinishOptions
}

/**
 * Counts a response that was just written. Usually the operating system has accepted all of it, and
 * the request is over; otherwise it is in flight until the response was sent or the client left.
 */
export function finishResponse(sent: SentResponse): void {
  const { response, request, config, options } = sent
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
    end(sent, series)
  })
}

/** Counts a request whose client left before the response was written. */
export function abandonResponse(sent: SentResponse): void {
  const { series } = sent.config
  if (series === undefined) return
  series.start()
  end(sent, series)
}

function end({ response, request, config, options }: SentResponse, series: RouteSeries): void {
  const durationMs = performance.now() - request.startedMs
  series.finish(response.statusCode, durationMs / 1000)
  if (response.writableFinished) return
  const { id: requestId, trace } = request
  const { traceId } = trace
  logRequest(options, response, {
    series,
    config,
    durationMs,
    errorCode: null,
    requestId,
    traceId,
  })
}
