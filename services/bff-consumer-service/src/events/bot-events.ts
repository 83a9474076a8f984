import { idPattern } from '@melmastoon/domain'
import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import { audit, byGuest, guestSessionId, hashed, instant, payload } from './fields.ts'

export const BOT_SIGNALS = [
  'ua-pattern',
  'cadence',
  'fingerprint-collision',
  'recaptcha',
  'header-anomaly',
] as const

export const BOT_REASONS = ['score', 'handoff-replayed', 'session-elsewhere'] as const

export const botSuspected = defineEvent({
  ...audit,
  subject: 'melmastoon.bff.consumer.bot_suspected.v1',
  debounceSeconds: 300,
  piiAllowed: [
    'guestSessionId',
    'fingerprintHash',
    'ipHash',
    'reason',
    'score',
    'verdict',
    'signals',
    'kind',
    'weight',
    'handoffId',
    'evaluatedAt',
  ],
  payload: payload({
    guestSessionId: guestSessionId(),
    fingerprintHash: hashed(),
    ipHash: Type.Optional(hashed()),
    reason: Type.Enum([...BOT_REASONS]),
    score: Type.Number({ minimum: 0, maximum: 1 }),
    verdict: Type.Enum(['suspect', 'bot']),
    signals: Type.Array(
      payload({
        kind: Type.Enum([...BOT_SIGNALS]),
        weight: Type.Number({ minimum: 0, maximum: 1 }),
      }),
      { maxItems: 20 },
    ),
    handoffId: Type.Optional(Type.String({ pattern: idPattern('bhd') })),
    evaluatedAt: instant(),
  }),
  orderingKey: byGuest,
})
