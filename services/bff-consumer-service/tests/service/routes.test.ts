import { mutatingRoutesWithoutIdempotency } from '@melmastoon/chassis/http'
import { createService } from '@melmastoon/chassis/service'
import { expect, it } from 'vitest'
import { service } from '../../src/service.ts'
import { consumerEnvironment } from '../harness/start-consumer.ts'

/** What may be sent twice without a key, and why that does no harm. */
const WITHOUT_A_KEY = {
  'POST /bff/consumer/v1/challenge/local': 'hands out riddles, where nobody else does',
  'POST /bff/consumer/v1/search': 'asks',
  'POST /bff/consumer/v1/search/map': 'asks',
  'POST /bff/consumer/v1/session': 'goes on with the session there is',
  'POST /bff/consumer/v1/session/clear': 'leaves nothing for a second time, nor for a ledger',
  'POST /bff/consumer/v1/telemetry/funnel': 'beacons are told apart by what they say',
  'POST /bff/consumer/v1/telemetry/page-view': 'beacons are told apart by what they say',
}

/** Behind a door of their own, for services and operators. */
const INTERNAL = {
  'POST /internal/handoff/:id/consume': 'is decided once by the arrival it names',
  'POST /internal/jobs/:name': 'runs once at a time, and does what is due',
}

it('P7 every mutation has a key, with exceptions that can be explained', async () => {
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

it('P14 every operation is described, and where a challenge may be solved the header is', async () => {
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
