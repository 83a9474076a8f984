import {
  type RouteOperation,
  readRoutes,
  type ServiceRoutes,
  type TestEnvironment,
} from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  isAllowed,
  PUBLIC_OPERATIONS,
  ROLE_TABLE,
  WITHOUT_TOKEN,
} from '../../src/access/role-table.ts'
import { requireRoleRow } from '../../src/http/request-operator.ts'
import { service } from '../../src/service.ts'
import { backofficeEnvironment } from '../harness/backoffice-environment.ts'

/** Mutations without an idempotency key, and why they need none. */
const WITHOUT_A_KEY: Readonly<Record<string, string>> = {
  'POST /api/bff/backoffice/v1/auth/refresh': 'the refresh token is the key',
  'POST /api/bff/backoffice/v1/sse/renew': 'a repeated request sets the same time',
  'POST /bff/backoffice/v1/auth/refresh': 'the refresh token is the key',
  'POST /bff/backoffice/v1/sse/renew': 'a repeated request sets the same time',
}

let environment: TestEnvironment
let routes: ServiceRoutes
beforeAll(async () => {
  environment = await backofficeEnvironment()
  routes = await readRoutes(service, environment.env)
})
afterAll(() => environment[Symbol.asyncDispose]())

it('P7 every mutation requires an idempotency key, with documented exceptions', () => {
  expect(routes.bare).toEqual(Object.keys(WITHOUT_A_KEY))
})

it('P14 every operation is described once', () => {
  const { operations } = routes
  const names = operations.map(({ operationId }) => operationId)
  expect(names).toEqual([...new Set(names)])
  expect(operations.filter(({ summary }) => summary === undefined)).toEqual([])
})

it('every operation has a row in the role table; a route without one prevents the start', () => {
  const known = ({ operationId }: RouteOperation) =>
    operationId in ROLE_TABLE ||
    WITHOUT_TOKEN.has(operationId) ||
    PUBLIC_OPERATIONS.has(operationId)
  expect(routes.operations.filter((operation) => !known(operation))).toEqual([])
  const route = { url: '/x', method: 'GET', handler: () => undefined, config: {} } as const
  expect(() => requireRoleRow(route)).toThrow(TypeError)
  expect(isAllowed('staff.no-such', { roles: ['owner'], isLead: true })).toBe(false)
})
