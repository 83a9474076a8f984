import type { App } from '@melmastoon/chassis/http'
import { idPattern } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { boardClassOf, OPERATOR_ROLES } from '../../access/operator.ts'
import type { BackofficeContext } from '../../context.ts'

const SessionVM = named(
  'StaffSession',
  Type.Object({
    sessionId: Type.String({ pattern: idPattern('bos') }),
    tenantId: Type.String({ pattern: idPattern('tnt') }),
    operatorId: Type.String({ pattern: idPattern('opr') }),
    deviceId: Type.String({ pattern: idPattern('dev') }),
    roles: Type.Array(Type.Enum([...OPERATOR_ROLES])),
    isLead: Type.Boolean({ description: 'Leads of housekeeping and maintenance' }),
    boardClass: Type.Enum(['desk', 'hk', 'mt', 'mgmt'], {
      description: 'Decides which fields of boards the operator sees',
    }),
    properties: Type.Union([
      Type.Literal('*', { description: 'All properties of the tenant' }),
      Type.Array(Type.String({ pattern: idPattern('ppt') })),
    ]),
    tokenExpiresAt: Type.String({ format: 'date-time' }),
  }),
)

const schema = { response: { 200: SessionVM } }

/** The operator, their roles and properties as they apply now (B1). */
export function getSessionRoute(app: App, _ctx: BackofficeContext) {
  const config = { operation: 'staff.session.get' } as const
  app.get('/session', { config, schema }, async ({ operator }, reply) => {
    reply.header('cache-control', 'no-store')
    const { properties, tokenExpiresAt, jkt: _, ...rest } = operator
    return {
      ...rest,
      roles: [...rest.roles],
      boardClass: boardClassOf(operator),
      properties: properties === '*' ? ('*' as const) : [...properties],
      tokenExpiresAt: tokenExpiresAt.toISOString(),
    }
  })
}
