import { idPattern } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { CHANNELS } from '../streams/channels.ts'
import type { ByeReason } from '../streams/device-stream.ts'

export const ChannelName = Type.Enum([...CHANNELS])

const id = (prefix: Parameters<typeof idPattern>[0]) =>
  Type.Optional(Type.String({ pattern: idPattern(prefix) }))

/** `data` of the events of a channel: ids, states and versions, as far as the event has them. */
export const StreamEventData = named(
  'StreamEventData',
  Type.Object(
    {
      type: Type.String({ description: 'What happened, for example `task.started`' }),
      propertyId: id('ppt'),
      reservationId: id('rsv'),
      folioId: id('fol'),
      roomId: id('rmu'),
      taskId: Type.Optional(Type.String()),
      workOrderId: Type.Optional(Type.String()),
      keyId: id('key'),
      actionId: id('lap'),
      alertId: Type.Optional(Type.String()),
      suggestionId: Type.Optional(Type.String()),
      deviceId: id('dev'),
      requestId: Type.Optional(Type.String({ description: 'Of the command to a lock' })),
      action: Type.Optional(Type.String({ description: 'What is done with a key' })),
      state: Type.Optional(Type.String({ description: 'Of the lock action' })),
      status: Type.Optional(Type.String({ description: 'The new one of the object' })),
      severity: Type.Optional(Type.String()),
      version: Type.Optional(Type.Integer({ minimum: 0, description: 'Of the changed object' })),
      causationId: Type.Optional(
        Type.String({ description: 'Of the request or offline action that made the change' }),
      ),
    },
    { additionalProperties: true },
  ),
)

const StreamHello = named(
  'StreamHello',
  Type.Object({
    streamId: Type.String(),
    heartbeatMs: Type.Integer({ description: 'How often the service sends something' }),
    channels: Type.Array(ChannelName, { description: 'Those that the role receives' }),
  }),
)

export const StreamGap = named(
  'StreamGap',
  Type.Object({
    refetch: Type.Array(ChannelName, { description: 'Events are missing: read these completely' }),
  }),
)

const StreamRenewal = named('StreamRenewal', Type.Object({ type: Type.Literal('renew') }))

const StreamBye = named(
  'StreamBye',
  Type.Object({
    reason: Type.Enum([
      'replaced',
      'session_ended',
      'scope_changed',
      'token_expired',
      'lifetime',
      'shutdown',
    ] satisfies ByeReason[]),
    retryMs: Type.Optional(
      Type.Integer({ description: 'Connect again after it; absent: do not connect by yourself' }),
    ),
  }),
)

/** `data` of every event, by its name. */
export const StreamText = Type.String({
  contentMediaType: 'text/event-stream',
  description: '`contentSchema` describes the `data` of an event.',
  contentSchema: {
    anyOf: [StreamHello, StreamGap, StreamRenewal, StreamBye, StreamEventData],
  },
})
