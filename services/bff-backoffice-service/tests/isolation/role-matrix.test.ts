import { messagesOf } from '@melmastoon/domain/messages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR_ROLES, type OperatorRole } from '../../src/access/operator.ts'
import {
  isAllowed,
  PUBLIC_OPERATIONS,
  ROLE_TABLE,
  WITHOUT_TOKEN,
} from '../../src/access/role-table.ts'
import { requireRoleRow } from '../../src/http/request-operator.ts'
import { type Staff, signIn } from '../harness/staff.ts'
import { type Backoffice, startWithSandbox } from '../harness/start-backoffice.ts'

interface Route {
  readonly operation: string
  readonly method: string
  readonly path: string
}

const STAFF: readonly (readonly [username: string, role: OperatorRole, isLead: boolean])[] = [
  ['desk', 'front_desk', false],
  ['housekeeper', 'housekeeping', false],
  ['housekeeping-lead', 'housekeeping', true],
  ['technician', 'maintenance', true],
  ['manager', 'general_manager', false],
  ['owner', 'owner', false],
]

const PREFIX = '/bff/backoffice/v1'

let office: Backoffice
let routes: Route[]
const staff = new Map<string, Staff>()

beforeAll(async () => {
  office = await startWithSandbox()
  for (const [username] of STAFF) staff.set(username, await signIn(office, username))
  const { paths = {} } = office.service.app.swagger()
  routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item ?? {}).flatMap(([method, described]) => {
      const operation = (described as { operationId?: string }).operationId ?? ''
      if (!path.startsWith(PREFIX) || PUBLIC_OPERATIONS.has(operation)) return []
      return [{ operation, method: method.toUpperCase(), path: path.slice(PREFIX.length) }]
    }),
  )
})
afterAll(() => office[Symbol.asyncDispose]())

/** An id that nobody has in place of each parameter; the role is checked before the rest. */
const filled = ({ path }: Route) => path.replaceAll(/\{\w+\}/g, 'x01JGFJJZ00000000000000000A')

describe('STAFF-BRD-01 role by route', () => {
  it('every route has a row, and every row a route', () => {
    const served = routes.map((route) => route.operation)
    const listed = [...Object.keys(ROLE_TABLE), ...WITHOUT_TOKEN]
    expect(served.toSorted()).toEqual(listed.toSorted())
  })

  it('C21 messages need no token: they explain why a sign-in failed', async () => {
    for (const prefix of ['/bff/backoffice/v1', '/api/bff/backoffice/v1']) {
      const url = `${office.service.url}${prefix}/messages/`
      const found = await fetch(`${url}ps`)
      expect([found.status, found.headers.get('content-language')]).toEqual([200, 'ps-AF'])
      expect(found.headers.get('dpop-nonce')).toBeNull()
      expect(await found.json()).toMatchObject({ messages: messagesOf('ps-AF') })
      expect((await fetch(`${url}de`)).status).toBe(422)
    }
  })

  it('control: a route without a row does not start', () => {
    const route = { url: '/x', config: { operation: 'staff.unknown' } }
    expect(() => requireRoleRow(route as Parameters<typeof requireRoleRow>[0])).toThrow(TypeError)
  })

  it.each(STAFF)('%s is rejected exactly where the table says so', async (username, ...rest) => {
    const [role, isLead] = rest
    const device = staff.get(username)
    if (device === undefined) throw new TypeError('not signed in')
    const wrong: string[] = []
    for (const route of routes) {
      // These end or replace the session of the device.
      if (['staff.session.sign-out', 'staff.session.refresh'].includes(route.operation)) continue
      const isChange = route.method !== 'GET'
      const stop = new AbortController()
      const response = await device.fetch(filled(route), {
        method: route.method,
        signal: stop.signal,
        ...(isChange && { json: { unexpected: true } }),
      })
      const code = response.status === 403 ? ((await response.json()) as { code: string }).code : ''
      stop.abort()
      const isForbidden = code === 'MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN'
      if (isForbidden === isAllowed(route.operation, { roles: [role], isLead })) {
        wrong.push(`${route.operation}: ${response.status} ${code}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('every role has its staff', () => {
    const roles = new Set(STAFF.map(([, role]) => role))
    expect([...roles].toSorted()).toEqual([...OPERATOR_ROLES].toSorted())
  })
})
