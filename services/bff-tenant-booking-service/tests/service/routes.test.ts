import { readRoutes, type ServiceRoutes, type TestEnvironment } from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { service } from '../../src/service.ts'
import { bookingEnvironment } from '../harness/booking-environment.ts'

/** Mutations without an idempotency key, and why they need none. */
const WITHOUT_A_KEY: Readonly<Record<string, string>> = {
  'POST /api/handoff/consume': 'the token is the key',
  'POST /bff/tenant-booking/v1/:tenantSlug/handoff/consume': 'the token is the key',
  'POST /bff/tenant-booking/v1/webhooks/payments': 'the signed event id identifies it',
}

/** On the internal listener, for operators. */
const INTERNAL = {
  'POST /internal/jobs/:name': 'runs once at a time, and processes only due work',
}

let environment: TestEnvironment
let routes: ServiceRoutes
beforeAll(async () => {
  environment = await bookingEnvironment()
  routes = await readRoutes(service, environment.env)
})
afterAll(() => environment[Symbol.asyncDispose]())

it('P7 every mutation requires an idempotency key, with documented exceptions', () => {
  expect(routes.bare).toEqual(Object.keys(WITHOUT_A_KEY))
  expect(routes.bareInternal).toEqual(Object.keys(INTERNAL))
})

/** For all sites: no site can be missing. */
const WITHOUT_A_SITE = ['booking.message.list', 'booking.payment.webhook']

it('P14 every operation is described once, with its problem codes', () => {
  const { operations } = routes
  const names = operations.map(({ operationId }) => operationId)
  expect(names).toEqual([...new Set(names)])
  expect(operations.filter(({ summary }) => summary === undefined)).toEqual([])
  const withoutProblems = operations.filter(({ responses }) => responses['404'] === undefined)
  const ids = withoutProblems.map(({ operationId }) => operationId)
  expect(ids.toSorted()).toEqual(WITHOUT_A_SITE)
})

it('P14 every successful JSON response has a named schema', () => {
  const inline = routes.operations.filter(({ responses }) =>
    Object.entries(responses).some(([status, { content }]) => {
      const schema = content?.['application/json']?.schema
      return status.startsWith('2') && schema !== undefined && !('$ref' in schema)
    }),
  )
  expect(inline.map(({ operationId }) => operationId)).toEqual([])
})
