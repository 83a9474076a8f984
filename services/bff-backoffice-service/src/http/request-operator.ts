import { addHeader } from '@melmastoon/chassis/http'
import { problem } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Access } from '../access/access.ts'
import type { Operator } from '../access/operator.ts'
import { ROLE_TABLE, requireRole, WITHOUT_TOKEN } from '../access/role-table.ts'
import { PREFIXES } from './prefixes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    operator: Operator
  }
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** An `onRoute` hook: without a row in the role table the service does not start. */
export function requireRoleRow({ config, url }: RouteOptions): void {
  const operation = config?.operation ?? ''
  if (operation in ROLE_TABLE || WITHOUT_TOKEN.has(operation)) return
  throw new TypeError(`${url}: the role table has no operation ${JSON.stringify(operation)}`)
}

/** An `onRequest` hook: the operator, and that their role may use the route. */
export function createOperatorHook({ access }: { readonly access: Access }) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const operation = request.routeOptions.config.operation ?? ''
    if (WITHOUT_TOKEN.has(operation)) {
      addHeader(reply, 'dpop-nonce', access.nonce())
      return
    }
    const operator = await access.authenticate({
      authorization: request.headers.authorization,
      proof: proofsOf(request),
      deviceId: headerOf(request, 'x-device-id'),
      address: request.ip,
      method: request.method,
      path: pathBelowBase(request),
      isRead: READS.has(request.method),
      // Created on first use: an operator that this process knows needs neither.
      get deadline() {
        return request.deadline
      },
      get trace() {
        return request.trace
      },
    })
    // Afterwards, because the request may have found that the nonces have changed.
    addHeader(reply, 'dpop-nonce', access.nonce())
    request.operator = operator
    requireRole(operation, operator)
  }
}

/** From the raw list: Node joins repeated headers, and two proofs must not be read as one. */
export function proofsOf({ raw }: FastifyRequest): string[] {
  const { rawHeaders } = raw
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'dpop')
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** What follows the base of the API: proofs name it below one of the public addresses. */
export function pathBelowBase({ raw }: FastifyRequest): string {
  const [path = ''] = (raw.url ?? '').split(/[?#]/)
  const prefix = PREFIXES.find((candidate) => path.startsWith(`${candidate}/`))
  if (prefix === undefined) throw problem('MELMASTOON.GENERAL.ROUTE_NOT_FOUND')
  return path.slice(prefix.length)
}
