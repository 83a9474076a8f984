import { systemClock } from '@melmastoon/chassis/clock'
import { buildApp, startEventStream } from '@melmastoon/chassis/http'
import { createKeySpace, createRedis } from '@melmastoon/chassis/redis'
import { createMetrics } from '@melmastoon/chassis/telemetry'
import { newId, type TenantId } from '@melmastoon/domain'
import { createStreams } from '../../src/streams/create-streams.ts'
import { operatorOf } from './bare-streams.ts'
import { reportMemory } from './report-memory.ts'

/** Streams behind the same HTTP server, for anybody: opening one costs no signatures. */
reportMemory()
const onError = (error: unknown) => void process.stderr.write(`${String(error)}\n`)
const streams = createStreams({
  access: {
    onSessionEnded: () => () => undefined,
    findEnded: async () => [],
    isAllowedNow: async () => true,
  },
  sessionRedis: createRedis(process.env['REDIS_SESSION_URL'] ?? '', { name: 'streams', onError }),
  keys: createKeySpace('streams'),
  clock: systemClock,
  metrics: createMetrics('streams'),
  errors: { for: () => onError },
})
const app = await buildApp({ service: 'streams' })
const tenantId: TenantId = newId('tnt')
app.get('/', { exposeHeadRoute: false }, async (_request, reply) => {
  const operator = operatorOf({ tenantId, propertyId: newId('ppt') })
  await streams.open(operator, { lastEventId: undefined, start: () => startEventStream(reply) })
  return reply
})
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`listening ${address}\n`)
