import { type App, startEventStream } from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { StreamText } from '../stream-schemas.ts'

const schema = {
  headers: Type.Object({
    'last-event-id': Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The id of the last event that the device has received',
      }),
    ),
  }),
  response: {
    200: {
      description: 'Events, until the device or the service ends the response',
      content: { 'text/event-stream': { schema: StreamText } },
    },
  },
}

/** The stream of a device (B12). */
export function openStreamRoute(app: App, { streams }: BackofficeContext) {
  const config = {
    operation: 'staff.stream.open',
    problems: ['MELMASTOON.GENERAL.OVERLOADED'],
  } as const
  const options = { config, schema, exposeHeadRoute: false }
  app.get('/sse/stream', options, async ({ operator, headers }, reply) => {
    const lastEventId = headers['last-event-id']
    // Browsers send it empty when no event has had an id.
    const resume = lastEventId === '' ? undefined : lastEventId
    const start = () => startEventStream(reply)
    await streams.open(operator, { lastEventId: resume, start })
    return reply
  })
}
