import { systemClock } from '@melmastoon/chassis/clock'
import { buildApp, serve } from '@melmastoon/chassis/http'
import { buildContext } from '@melmastoon/chassis/service'
import type { TenantId } from '@melmastoon/domain'
import { defineContract } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { ContractHandlers } from '../../src/contract-handlers.ts'
import { apiDescription } from '../../src/http/describe-api.ts'
import { createFaultHooks } from '../../src/http/fault-hooks.ts'
import { registerContract } from '../../src/http/register-contract.ts'
import { service } from '../../src/service.ts'
import type { TestEnvironment } from '../start-sandbox.ts'

const Rung = Type.Object({ count: Type.Integer(), tenantId: Type.String(), key: Type.String() })

/** A test contract, so that the tests depend on the HTTP layer and on no module. */
export const testContract = defineContract({
  upstream: 'property',
  basePath: '/bell/v1',
  operations: {
    read: {
      method: 'GET',
      path: '/rings',
      summary: 'How often the bell was rung',
      query: Type.Object({ min: Type.Optional(Type.Integer({ minimum: 0 })) }),
      response: Type.Object({ count: Type.Integer(), locale: Type.String() }),
      errorCodes: [],
    },
    ring: {
      method: 'POST',
      path: '/rings',
      summary: 'Ring it',
      body: Type.Object({ loud: Type.Boolean() }),
      response: Rung,
      status: 201,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND'],
      tenantScoped: true,
      idempotent: true,
    },
  },
})

/**
 * The HTTP layer with the test contract: the same hooks, verifier and store as for every module.
 */
export async function serveTestContract(environment: TestEnvironment) {
  const ctx = buildContext(service, service.config.read(environment.env), {})
  const rings: TenantId[] = []
  const handlers: ContractHandlers<typeof testContract.operations> = {
    read: async (_input, call) => ({ count: rings.length, locale: call.locale }),
    ring: async (_input, call) =>
      ctx.db.withTenant(call.tenantId, (tx) => {
        const count = rings.push(call.tenantId)
        return call.finish(tx, { count, tenantId: call.tenantId, key: call.key })
      }),
  }
  const app = await buildApp({ service: 'bell', openapi: apiDescription })
  const { verifier, idempotency } = ctx
  const faultHooks = createFaultHooks(app, ctx.scenarios)
  const source = { config: { instance: 'bell-1' }, clock: systemClock }
  const host = { service: 'bell', source, verifier, idempotency, faultHooks }
  registerContract(app, host, { contract: testContract, handlers })
  await ctx.scenarios.start()
  const { url } = await serve(app, { port: 0, host: '127.0.0.1' })
  return {
    url,
    app,
    rings,
    scenarios: ctx.scenarios,
    async [Symbol.asyncDispose]() {
      app.server.closeAllConnections()
      await app.close()
      await ctx[Symbol.asyncDispose]()
    },
  }
}

export type TestContractServer = Awaited<ReturnType<typeof serveTestContract>>
