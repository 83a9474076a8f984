import type { App } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { ChannelName, StreamEventData, StreamGap } from '../stream-schemas.ts'

const EVENTS_MAX = 500

const PolledEvents = named(
  'PolledEvents',
  Type.Object({
    events: Type.Array(
      Type.Object({
        id: Type.String(),
        event: ChannelName,
        data: Type.Unsafe<Readonly<Record<string, unknown>>>(StreamEventData),
      }),
      { description: 'Oldest first' },
    ),
    lastEventId: Type.String({ description: '`after` of the next request' }),
    gap: Type.Union([StreamGap, Type.Null()]),
    hasMore: Type.Boolean(),
  }),
)

const schema = {
  querystring: Type.Object({
    after: Type.Optional(
      Type.String({ maxLength: 64, description: 'The id of the last event, or `lastEventId`' }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: EVENTS_MAX, default: EVENTS_MAX }),
  }),
  response: { 200: PolledEvents },
}

/** The events of a stream as JSON (B12). */
export function pollStreamRoute(app: App, { streams }: BackofficeContext) {
  const config = { operation: 'staff.stream.poll' } as const
  app.get('/sse/poll', { config, schema }, async ({ operator, query }, reply) => {
    const { after, limit } = query
    reply.header('cache-control', 'no-store')
    const { events, lastEventId, gap, hasMore } = await streams.poll(operator, { after, limit })
    return {
      events: [...events],
      lastEventId,
      gap: gap && { refetch: [...gap.refetch] },
      hasMore,
    }
  })
}
