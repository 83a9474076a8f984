import { readRoutes, type ServiceRoutes, type TestEnvironment } from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { service } from '../../src/service.ts'
import { consumerEnvironment } from '../harness/start-consumer.ts'

/** Mutations without an idempotency key, and why they need none. */
const WITHOUT_A_KEY = {
  'POST /bff/consumer/v1/challenge/local':
    'issues challenges of the local captcha, in development only',
  'POST /bff/consumer/v1/search': 'changes nothing but the search history',
  'POST /bff/consumer/v1/search/map': 'changes nothing but the search history',
  'POST /bff/consumer/v1/session': 'returns the existing session',
  'POST /bff/consumer/v1/session/clear':
    'is idempotent, and leaves nothing that a response could be stored with',
  'POST /bff/consumer/v1/telemetry/funnel': 'beacons are deduplicated by their content',
  'POST /bff/consumer/v1/telemetry/page-view': 'beacons are deduplicated by their content',
}

/** On the internal listener, for services and operators. */
const INTERNAL = {
  'POST /internal/handoff/:id/consume': 'is decided once by the arrival it names',
  'POST /internal/jobs/:name': 'runs once at a time, and processes only due work',
}

let environment: TestEnvironment
let routes: ServiceRoutes
beforeAll(async () => {
  environment = await consumerEnvironment({ url: 'http://127.0.0.1:1' })
  routes = await readRoutes(service, environment.env)
})
afterAll(() => environment[Symbol.asyncDispose]())

it('P7 every mutation requires an idempotency key, with documented exceptions', () => {
  expect(routes.bare).toEqual(Object.keys(WITHOUT_A_KEY))
  expect(routes.bareInternal).toEqual(Object.keys(INTERNAL))
})

it('P14 every operation is described, with the token header where a challenge may be solved', () => {
  const { operations: described } = routes
  expect(described.filter(({ summary }) => summary === undefined)).toEqual([])
  const challenged = described.filter(({ parameters = [] }) =>
    parameters.some(({ name }) => name === 'x-recaptcha-token'),
  )
  expect(challenged.map(({ operationId }) => operationId)).toContain('consumer.search.list')
  expect(challenged.map(({ operationId }) => operationId)).not.toContain('consumer.hotel.get')
})
