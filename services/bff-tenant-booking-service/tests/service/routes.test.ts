import { mutatingRoutesWithoutIdempotency } from '@melmastoon/chassis/http'
import { createService } from '@melmastoon/chassis/service'
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

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema?: object }> }>>
}

let environment: Awaited<ReturnType<typeof bookingEnvironment>>
let bare: string[]
let bareInternal: string[]
let operations: Operation[]
beforeAll(async () => {
  environment = await bookingEnvironment()
  const { ctx, app, internalApp } = await createService(service, environment.env)
  await using _connections = ctx
  await app.ready()
  await internalApp.ready()
  bare = mutatingRoutesWithoutIdempotency(app)
  bareInternal = mutatingRoutesWithoutIdempotency(internalApp)
  const { paths = {} } = app.swagger()
  operations = Object.values(paths).flatMap((item) => Object.values(item ?? {}) as Operation[])
  await Promise.all([app.close(), internalApp.close()])
})
afterAll(() => environment[Symbol.asyncDispose]())

it('P7 every mutation requires an idempotency key, with documented exceptions', () => {
  expect(bare).toEqual(Object.keys(WITHOUT_A_KEY))
  expect(bareInternal).toEqual(Object.keys(INTERNAL))
})

it('P14 every operation is described once, with its problem codes', () => {
  const names = operations.map(({ operationId }) => operationId)
  expect(names).toEqual([...new Set(names)])
  expect(operations.filter(({ summary }) => summary === undefined)).toEqual([])
  const withoutProblems = operations.filter(({ responses }) => responses['404'] === undefined)
  expect(withoutProblems.map(({ operationId }) => operationId)).toEqual(
    operations.map(({ operationId }) => operationId).filter((name) => name.includes('webhook')),
  )
})

it('P14 every successful JSON response has a named schema', () => {
  const inline = operations.filter(({ responses }) =>
    Object.entries(responses).some(([status, { content }]) => {
      const schema = content?.['application/json']?.schema
      return status.startsWith('2') && schema !== undefined && !('$ref' in schema)
    }),
  )
  expect(inline.map(({ operationId }) => operationId)).toEqual([])
})
