import { registerAt } from '@melmastoon/chassis/http'
import { newId, problem } from '@melmastoon/domain'
import { startService, type TestEnvironment } from '@melmastoon/testkit'
import { Type } from 'typebox'
import type { Access } from '../../src/access/access.ts'
import type { Operator, OperatorRole } from '../../src/access/operator.ts'
import type { Ledger } from '../../src/activity/activity.ts'
import type { BackofficeContext } from '../../src/context.ts'
import { attachActivity, createRejectionHandler } from '../../src/http/request-activity.ts'
import { createOperatorHook } from '../../src/http/request-operator.ts'
import { staffMutation } from '../../src/http/staff-mutation.ts'
import { service } from '../../src/service.ts'

export function operatorOf(role: OperatorRole, more: Partial<Operator> = {}): Operator {
  return {
    tenantId: newId('tnt'),
    operatorId: newId('opr'),
    deviceId: newId('dev'),
    sessionId: newId('bos'),
    jkt: 'thumbprint',
    roles: [role],
    isLead: false,
    properties: '*',
    tokenExpiresAt: new Date(Date.now() + 600_000),
    ...more,
  }
}

/** The name of an operator in `Authorization` is the whole credential. */
function namedAccess(access: Access, operators: ReadonlyMap<string, Operator>): Access {
  const authenticate: Access['authenticate'] = async ({ authorization = '' }) => {
    const operator = operators.get(authorization)
    if (operator === undefined) throw problem('MELMASTOON.SECURITY.TOKEN_INVALID')
    return operator
  }
  return { ...access, authenticate }
}

export const TEST_PREFIX = '/bff/backoffice/v1/test'

const schema = {
  params: Type.Object({ taskId: Type.String() }),
  body: Type.Object({ note: Type.String() }),
  response: { 200: Type.Object({ done: Type.Boolean() }) },
}

/** The service with operators by name, and a mutation at `/tasks/:taskId` of the prefix. */
export async function startActivityService(
  { env }: Pick<TestEnvironment, 'env'>,
  operators: ReadonlyMap<string, Operator>,
  replaceLedger: (ledger: Ledger) => Ledger = (ledger) => ledger,
) {
  const definition: typeof service = {
    ...service,
    createContext(base, overrides) {
      const ctx = service.createContext(base, overrides)
      return {
        ...ctx,
        access: namedAccess(ctx.access, operators),
        ledger: replaceLedger(ctx.ledger),
      }
    },
    async routes(app, ctx) {
      await service.routes(app, ctx)
      registerAt(app, [{ prefix: TEST_PREFIX }], (scope) => {
        scope.addHook('onRoute', attachActivity)
        scope.setErrorHandler(createRejectionHandler(ctx))
        scope.addHook('onRequest', createOperatorHook(ctx))
        const { options, handler } = startTask(ctx)
        scope.post('/tasks/:taskId', options, handler)
      })
    },
  }
  return await startService(definition, env, {})
}

function startTask(ctx: BackofficeContext) {
  const activity = {
    category: 'housekeeping',
    action: 'task.start',
    resourceKind: 'task',
    resourceId: ({ params }: { params: unknown }) => (params as { taskId: string }).taskId,
  }
  const handler = staffMutation(ctx, { activity }, async ({ body }) => {
    if ((body as { note: string }).note === 'conflict') throw problem('MELMASTOON.GENERAL.CONFLICT')
    return { response: { status: 200, body: { done: true } } }
  })
  return { options: { config: { operation: 'staff.task.start' }, schema }, handler }
}
