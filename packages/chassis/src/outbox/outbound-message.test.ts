import { describe, expect, it } from 'vitest'
import { toOutboundMessage } from './outbound-message.ts'

const row = {
  source: 'log',
  seq: 1,
  shard: 0,
  eventId: 'evt_1',
  subject: 's',
  orderingKey: 'k',
  tenantId: null,
  traceparent: '00-a-b-01',
  contract: null,
  payload: '{"text": "\\"publishedAt\\": null"}',
  ageMs: 0,
  isBehind: false,
} as const
const READ_AT = '2026-03-21T09:00:00.000Z'

describe('toOutboundMessage', () => {
  it.each([
    ['empty', '{"eventId": "evt_1", "publishedAt": null}'],
    ['already filled', '{"eventId": "evt_1", "publishedAt": "2020-01-01T00:00:00.000Z"}'],
    ['missing', '{"eventId": "evt_1"}'],
  ])('fills publishedAt when it is %s, and nothing else', (_, envelope) => {
    const { body, attributes } = toOutboundMessage({ ...row, envelope }, READ_AT)
    expect(JSON.parse(body)).toEqual({
      envelope: { eventId: 'evt_1', publishedAt: READ_AT },
      payload: { text: '"publishedAt": null' },
    })
    expect(attributes).toEqual({ traceparent: row.traceparent })
  })

  it('is not misled by a value that looks like the key', () => {
    const envelope = '{"userId": "\\"publishedAt\\": null", "publishedAt": null}'
    expect(JSON.parse(toOutboundMessage({ ...row, envelope }, READ_AT).body).envelope).toEqual({
      userId: '"publishedAt": null',
      publishedAt: READ_AT,
    })
  })
})
