import type { FastifyRequest } from 'fastify'
import { chooseKey, type IdempotencyScope } from '../../idempotency/index.ts'
import type { PreparedRoute } from './prepare-route.ts'

const KEY_HEADER = 'idempotency-key'
const ALIAS_HEADER = 'x-idempotency-key'

export function readScope<R extends FastifyRequest>(
  { options }: PreparedRoute<R>,
  request: R,
): IdempotencyScope {
  const { rawHeaders } = request.raw
  return {
    service: options.service,
    tenantId: options.tenant(request),
    principal: options.principal(request),
    method: request.method,
    route: request.routeOptions.url ?? '',
    key: chooseKey(linesOf(rawHeaders, KEY_HEADER), linesOf(rawHeaders, ALIAS_HEADER)),
    deviceId: options.device?.(request),
    operatorId: options.operator?.(request),
  }
}

/** From the raw list: Node joins lines of an unknown header, and two keys must not pass as one. */
function linesOf(rawHeaders: readonly string[], name: string): string[] {
  const lines: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] ?? ''
    if (candidate.length === name.length && candidate.toLowerCase() === name) {
      lines.push(rawHeaders[index + 1] ?? '')
    }
  }
  return lines
}
