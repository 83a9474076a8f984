import type { Tx } from '@melmastoon/chassis/db'
import { type App, type EventSource, eventCause, idempotent } from '@melmastoon/chassis/http'
import { finalAmong, type IdempotencyStore } from '@melmastoon/chassis/idempotency'
import { negotiateLocale } from '@melmastoon/domain'
import type { Contract, Operation, Operations } from '@melmastoon/upstream-contracts'
import type { ServiceVerifier } from '@melmastoon/upstream-contracts/auth'
import type { FastifyRequest } from 'fastify'
import type { ContractHandlers } from '../contract-handlers.ts'
import { serializedJson } from '../serialized-json.ts'
import { callerOf, requireTenant, verifyCaller } from './caller.ts'
import { securityOf } from './describe-api.ts'
import { type FaultHooks, scenarioOf } from './fault-hooks.ts'

const DAY_MS = 86_400_000
const LEASE_MS = 10_000
const JSON_TYPE = 'application/json; charset=utf-8'

export interface ContractHost {
  readonly service: string
  readonly source: EventSource
  readonly verifier: ServiceVerifier
  readonly idempotency: IdempotencyStore
  readonly faultHooks: FaultHooks
}

type AnyHandler = (input: unknown, call: unknown) => Promise<unknown>

/** Serves every operation of a contract below `/upstreams/<name>`. */
export function registerContract<O extends Operations>(
  app: App,
  host: ContractHost,
  served: { contract: Contract<O>; handlers: ContractHandlers<O> },
): void {
  const { contract, handlers } = served
  const { upstream } = contract
  for (const [name, operation] of Object.entries<Operation>(contract.operations)) {
    const handler = handlers[name] as AnyHandler
    app.route({
      method: operation.method,
      url: `/upstreams/${upstream}${contract.basePath}${operation.path}`,
      config: { operation: `${upstream}.${name}` },
      schema: routeSchema(upstream, operation),
      onRequest: verifyCaller(host.verifier),
      ...host.faultHooks({ upstream, operation: name, response: operation.response }),
      handler: operation.idempotent
        ? writeOnce(host, operation, handler)
        : async (request, reply) => {
            const body = await handler(inputOf(request), callOf(host, operation, request))
            reply.code(operation.status ?? 200)
            const bytes = serializedJson(body)
            return bytes === undefined ? reply.send(body) : reply.type(JSON_TYPE).send(bytes)
          },
    })
  }
}

function writeOnce(host: ContractHost, operation: Operation, handler: AnyHandler) {
  const status = operation.status ?? 200
  return idempotent<FastifyRequest>(
    {
      store: host.idempotency,
      service: host.service,
      ttlMs: DAY_MS,
      leaseMs: LEASE_MS,
      principal: (request) => callerOf(request).service,
      tenant: (request) => (operation.tenantScoped ? requireTenant(request) : null),
      // Temporary errors are not stored for the retry.
      finalRejections: finalAmong(operation.errorCodes, operation.finalErrorCodes),
    },
    async (request, claim) => {
      const call = {
        ...callOf(host, operation, request),
        key: keyOf(request),
        async finish(tx: Tx, body: unknown) {
          await claim.completeIn(tx, { status, body })
          return body
        },
      }
      const body = await handler(inputOf(request), call)
      return claim.response === null ? { response: { status, body } } : undefined
    },
  )
}

function keyOf({ headers }: FastifyRequest): string {
  return String(headers['idempotency-key'] ?? headers['x-idempotency-key'])
}

function inputOf({ params, query, body }: FastifyRequest) {
  return { params, query, body }
}

function callOf(host: ContractHost, operation: Operation, request: FastifyRequest) {
  const tenantId = operation.tenantScoped ? requireTenant(request) : null
  return {
    caller: callerOf(request).service,
    locale: negotiateLocale(request.headers['accept-language']),
    cause: eventCause(host.source, request, { tenantId }),
    scenario: scenarioOf(request),
    ...(tenantId && { tenantId }),
  }
}

function routeSchema(tag: string, operation: Operation) {
  const { summary, params, query, body, response, status = 200, tenantScoped } = operation
  return {
    tags: [tag],
    security: securityOf(tenantScoped === true),
    summary,
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    response: { [status]: response },
  }
}
