import { describe, expect, it } from 'vitest'
import { toOutboundMessage } from './outbound-message.ts'

const row = {
  seq: 1,
  shard: 0,
  fence: 1,
  leaseLeftMs: 1,
  eventId: 'evt_1',
  subject: 's',
  orderingKey: 'k',
  tenantId: null,
  traceparent: '00-a-b-01',
  contract: null,
  payload: '{"text": "\\"publishedAt\\": null"}',
  readAt: '2026-03-21T09:00:00.000Z',
}

describe('toOutboundMessage', () => {
  it.each([
    ['empty', '{"eventId": "evt_1", "publishedAt": null}'],
    ['already filled', '{"eventId": "evt_1", "publishedAt": "2020-01-01T00:00:00.000Z"}'],
    ['missing', '{"eventId": "evt_1"}'],
  ])('fills publishedAt when it is %s, and nothing else', (_, envelope) => {
    const { body, attributes } = toOutboundMessage({ ...row, envelope })
    expect(JSON.parse(body)).toEqual({
      envelope: { eventId: 'evt_1', publishedAt: row.readAt },
      payload: { text: '"publishedAt": null' },
    })
    expect(attributes).toEqual({ traceparent: row.traceparent })
  })

  it('is not misled by a value that looks like the key', () => {
    const envelope = '{"userId": "\\"publishedAt\\": null", "publishedAt": null}'
    expect(JSON.parse(toOutboundMessage({ ...row, envelope }).body).envelope).toEqual({
      userId: '"publishedAt": null',
      publishedAt: row.readAt,
    })
  })
})
