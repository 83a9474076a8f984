import { mutatingRoutesWithoutIdempotency } from '@melmastoon/chassis/http'
import { createService } from '@melmastoon/chassis/service'
import { expect, it } from 'vitest'
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

it('P7 every mutation requires an idempotency key, with documented exceptions', async () => {
  await using environment = await consumerEnvironment({ url: 'http://127.0.0.1:1' })
  const { ctx, app: publicApp, internalApp } = await createService(service, environment.env)
  await using _connections = ctx
  for (const [app, exceptions] of [
    [publicApp, WITHOUT_A_KEY],
    [internalApp, INTERNAL],
  ] as const) {
    await app.ready()
    const bare = mutatingRoutesWithoutIdempotency(app)
    await app.close()
    expect(bare).toEqual(Object.keys(exceptions))
  }
})

it('P14 every operation is described, with the token header where a challenge may be solved', async () => {
  await using environment = await consumerEnvironment({ url: 'http://127.0.0.1:1' })
  const { ctx, app } = await createService(service, environment.env)
  await using _connections = ctx
  await app.ready()
  const { paths = {} } = app.swagger()
  await app.close()
  const described = Object.values(paths).flatMap((item) => Object.values(item ?? {}) as Described[])
  expect(described.filter(({ summary }) => summary === undefined)).toEqual([])
  const challenged = described.filter(({ parameters = [] }) =>
    parameters.some(({ name }) => name === 'x-recaptcha-token'),
  )
  expect(challenged.map(({ operationId }) => operationId)).toContain('consumer.search.list')
  expect(challenged.map(({ operationId }) => operationId)).not.toContain('consumer.hotel.get')
})

interface Described {
  readonly operationId: string
  readonly summary?: string
  readonly parameters?: readonly { readonly name: string }[]
}
