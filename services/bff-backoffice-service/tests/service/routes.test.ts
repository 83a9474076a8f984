import { mutatingRoutesWithoutIdempotency } from '@melmastoon/chassis/http'
import { createService } from '@melmastoon/chassis/service'
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

interface Operation {
  readonly operationId: string
  readonly summary?: string
}

let environment: Awaited<ReturnType<typeof backofficeEnvironment>>
let bare: string[]
let operations: Operation[]
beforeAll(async () => {
  environment = await backofficeEnvironment()
  const { ctx, app, internalApp } = await createService(service, environment.env)
  await using _connections = ctx
  await app.ready()
  await internalApp.ready()
  bare = mutatingRoutesWithoutIdempotency(app)
  const { paths = {} } = app.swagger()
  operations = Object.values(paths).flatMap((item) => Object.values(item ?? {}) as Operation[])
  await Promise.all([app.close(), internalApp.close()])
})
afterAll(() => environment[Symbol.asyncDispose]())

it('P7 every mutation requires an idempotency key, with documented exceptions', () => {
  expect(bare).toEqual(Object.keys(WITHOUT_A_KEY))
})

it('P14 every operation is described once', () => {
  const names = operations.map(({ operationId }) => operationId)
  expect(names).toEqual([...new Set(names)])
  expect(operations.filter(({ summary }) => summary === undefined)).toEqual([])
})

it('every operation has a row in the role table; a route without one prevents the start', () => {
  const known = ({ operationId }: Operation) =>
    operationId in ROLE_TABLE ||
    WITHOUT_TOKEN.has(operationId) ||
    PUBLIC_OPERATIONS.has(operationId)
  expect(operations.filter((operation) => !known(operation))).toEqual([])
  const route = { url: '/x', method: 'GET', handler: () => undefined, config: {} } as const
  expect(() => requireRoleRow(route)).toThrow(TypeError)
  expect(isAllowed('staff.no-such', { roles: ['owner'], isLead: true })).toBe(false)
})
