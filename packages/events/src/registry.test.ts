import { newId, type Problem } from '@melmastoon/domain'
import { EXAMPLE_EVENTS, notePlaced } from '@melmastoon/testkit/example-events'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { checkedContract } from './contract-hash.ts'
import { defineEvent, type EventDefinition } from './definition.ts'
import { EVENT_MAX_BYTES } from './event-text.ts'
import { createRegistry, type EventContext } from './registry.ts'

const instant = '2026-04-23T09:14:22.041Z'
const tenantId = newId('tnt')
const context: EventContext = {
  producerInstance: 'example-1',
  tenantId,
  requestId: newId('req'),
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  occurredAt: new Date(instant),
}
const blob = defineEvent({
  ...notePlaced,
  subject: 'melmastoon.example.blob.stored.v1',
  piiAllowed: ['parts'],
  payload: Type.Object(
    { parts: Type.Array(Type.Object({ source: Type.String() }, { additionalProperties: false })) },
    { additionalProperties: false },
  ),
  orderingKey: () => 'blob',
})
const registry = createRegistry([...EXAMPLE_EVENTS, blob])
const PLACED = 'melmastoon.example.note.placed.v1'
const payload = { tenantId, noteId: 'n1', lengthChars: 3, placedAt: instant }

function rejectionOf(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    const { code, errors } = error as Problem
    return `${code} ${errors?.[0]?.pointer} ${errors?.[0]?.code}`
  }
  return 'accepted'
}

const rejectedAt = (rest: string) => `MELMASTOON.GENERAL.EVENT_REFUSED ${rest}`
const buildBlob = (source: string) => registry.build(blob.subject, { parts: [{ source }] }, context)

describe('the contract of an event', () => {
  const event = registry.build(PLACED, payload, context)

  it('is known for a built event, and not for a changed copy', () => {
    expect(checkedContract(event)).toBe(registry.contractOf(PLACED))
    expect(checkedContract({ ...event, payload: {} })).toBeUndefined()
    expect(registry.contractOf('melmastoon.example.unknown.v1')).toBeUndefined()
  })

  it('differs between schemas', () => {
    const changed = createRegistry([
      { ...notePlaced, payload: blob.payload, piiAllowed: ['parts'] },
    ])
    expect(changed.contractOf(PLACED)).not.toBe(registry.contractOf(PLACED))
  })
})

describe('P6 building events', () => {
  it('P6 fills the envelope with exactly the fields of the contract', () => {
    const event = registry.build(PLACED, payload, context)
    expect(event.envelope).toEqual({
      eventId: event.eventId,
      subject: PLACED,
      version: 1,
      occurredAt: instant,
      publishedAt: null,
      producer: 'example-service',
      producerInstance: 'example-1',
      tenantId,
      userId: null,
      sessionId: null,
      requestId: context.requestId,
      traceId: context.traceparent,
      causationId: null,
      correlationId: context.requestId,
      schemaUri: 'https://schemas.melmastoon.ghasi.io/example/note-placed/v1.json',
      retentionClass: 'operational',
      samplingRate: 1,
      marketingAttribution: null,
    })
    expect(event).toMatchObject({
      subject: PLACED,
      tenantId,
      orderingKey: 'n1',
      occurredAt: instant,
    })
    expect(event.payload).toBe(payload)
  })

  it('P6 carries the values of the context', () => {
    const more = {
      userId: 'u',
      sessionId: 's',
      causationId: newId('evt'),
      correlationId: 'c',
      samplingRate: 0.25,
      marketingAttribution: { source: 'google', medium: 'cpc' },
    }
    expect(registry.build(PLACED, payload, { ...context, ...more }).envelope).toMatchObject(more)
  })

  it('P6 gives every event its own id', () => {
    const ids = Array.from({ length: 100 }, () => registry.build(PLACED, payload, context).eventId)
    expect(new Set(ids).size).toBe(100)
  })

  it.each<[Record<string, unknown>, string]>([
    [{ noteId: '' }, '/payload/noteId minLength'],
    [{ noteId: undefined }, '/payload/noteId required'],
    [{ lengthChars: '3' }, '/payload/lengthChars type'],
    [{ lengthChars: 1.5 }, '/payload/lengthChars type'],
    [{ lengthChars: Number.NaN }, '/payload/lengthChars type'],
    [{ placedAt: 'yesterday' }, '/payload/placedAt format'],
    [{ tenantId: 'tnt_x' }, '/payload/tenantId pattern'],
    [{ guestEmail: 'a@b.c' }, '/payload additionalProperties'],
  ])('P6 rejects a payload with %j', (change, place) => {
    const broken = { ...payload, ...change } as typeof payload
    expect(rejectionOf(() => registry.build(PLACED, broken, context))).toBe(rejectedAt(place))
  })

  it.each<[Record<string, unknown>, string]>([
    [{ traceparent: 'x' }, '/envelope/traceId pattern'],
    [{ producerInstance: '' }, '/envelope/producerInstance minLength'],
    [{ requestId: 'req_1' }, '/envelope/requestId pattern'],
    [{ samplingRate: 2 }, '/envelope/samplingRate maximum'],
    [{ sessionId: 'x'.repeat(129) }, '/envelope/sessionId maxLength'],
    [
      { marketingAttribution: { source: 'x'.repeat(201) } },
      '/envelope/marketingAttribution/source maxLength',
    ],
    [
      { marketingAttribution: { email: 'a@b.c' } },
      '/envelope/marketingAttribution additionalProperties',
    ],
  ])('P6 rejects a context with %j', (change, place) => {
    expect(rejectionOf(() => registry.build(PLACED, payload, { ...context, ...change }))).toBe(
      rejectedAt(place),
    )
  })

  it('P6 a rejection never shows the value', () => {
    const broken = { ...payload, placedAt: 'secret-value' }
    expect(() => registry.build(PLACED, broken, context)).toThrow(/^(?!.*secret-value)/)
  })

  it('P6 an unknown subject is a programming error', () => {
    expect(() => registry.build('melmastoon.a.b.v1' as typeof PLACED, payload, context)).toThrow(
      TypeError,
    )
  })
})

describe('OBX-22 text that cannot be stored is rejected at build', () => {
  it.each([
    ['NUL', 'a\u0000b'],
    ['NUL after a backslash', 'a\\\u0000b'],
    ['high surrogate alone', 'a\ud800b'],
    ['low surrogate alone', '\udfff'],
    ['surrogates in the wrong order', '\udc00\ud800'],
  ])('rejects %s, nested', (_what, text) => {
    expect(rejectionOf(() => buildBlob(text))).toBe(rejectedAt(' text'))
  })

  it('rejects NUL in the envelope too', () => {
    const marketingAttribution = { campaign: 'spring\u0000' }
    const build = () => registry.build(PLACED, payload, { ...context, marketingAttribution })
    expect(rejectionOf(build)).toBe(rejectedAt(' text'))
  })

  it.each([
    ['a backslash and u0000 as text', 'a\\u0000'],
    ['two backslashes and ud800', 'a\\\\ud800'],
    ['an emoji', '😀'],
    ['other control characters', '\u0001\u001f\n\t'],
    ['Pashto', 'میلمستون'],
  ])('accepts %s', (_what, text) => {
    expect(rejectionOf(() => buildBlob(text))).toBe('accepted')
  })

  it('measures bytes, not characters, to the byte', () => {
    const emptyBytes = Buffer.byteLength(JSON.stringify(messageOf(buildBlob(''))))
    const room = EVENT_MAX_BYTES - emptyBytes
    expect(rejectionOf(() => buildBlob('a'.repeat(room)))).toBe('accepted')
    expect(rejectionOf(() => buildBlob('a'.repeat(room + 1)))).toBe(rejectedAt(' size'))
    expect(rejectionOf(() => buildBlob('ښ'.repeat(Math.floor(room / 2))))).toBe('accepted')
    expect(rejectionOf(() => buildBlob('ښ'.repeat(Math.floor(room / 2) + 1)))).toBe(
      rejectedAt(' size'),
    )
  })
})

describe('P6 receiving events', () => {
  const received = (): ReceivedMessage =>
    JSON.parse(
      JSON.stringify(messageOf(registry.build(PLACED, payload, context))),
    ) as ReceivedMessage

  it('P6 accepts its own events and additional fields of a newer producer', () => {
    const message = received()
    expect(registry.validate(message)).toBe(message)
    message.payload['extra'] = { deep: 1 }
    message.envelope['publishedAt'] = instant
    message.envelope['appVersion'] = '2'
    message['more'] = true
    expect(registry.validate(message)).toBe(message)
  })

  it('P6 rejects a broken known field', () => {
    const message = received()
    message.payload['noteId'] = 7
    expect(rejectionOf(() => registry.validate(message))).toBe(rejectedAt('/payload/noteId type'))
    const other = received()
    delete other.envelope['eventId']
    expect(rejectionOf(() => registry.validate(other))).toBe(
      rejectedAt('/envelope/eventId required'),
    )
  })

  it.each([
    null,
    undefined,
    1,
    'x',
    [],
    {},
    { envelope: null },
    { envelope: { subject: 1 } },
    { envelope: { subject: '__proto__' } },
  ])('P6 rejects %j', (message) => {
    expect(rejectionOf(() => registry.validate(message))).toBe(
      rejectedAt('/envelope/subject unknown'),
    )
  })
})

describe('P6 the registry checks its own definitions', () => {
  it('P6 knows its subjects', () => {
    expect(registry.get(PLACED)).toBe(notePlaced)
    expect(registry.get('toString')).toBeUndefined()
  })

  it.each<[string, Partial<EventDefinition>]>([
    ['not an event subject', { subject: 'example.note.v1' }],
    ['not an event subject', { subject: 'melmastoon.example.Note.placed.v1' }],
    ['version differs', { version: 2 }],
    ['sampleRate', { sampleRate: 1.1 }],
    ['sampleRate', { sampleRate: Number.NaN }],
    ['must not be sampled', { retentionClass: 'audit', sampleRate: 0.5 }],
    ['retentionDays', { retentionDays: 0 }],
    ['debounceSeconds', { debounceSeconds: 0.5 }],
    ['allow-list', { piiAllowed: [] }],
  ])('P6 rejects a definition: %s', (mistake, change) => {
    const definition: EventDefinition = { ...notePlaced, ...change }
    expect(() => createRegistry([definition])).toThrow(new RegExp(mistake))
  })

  it('P6 rejects a subject defined twice', () => {
    expect(() => createRegistry([notePlaced, notePlaced])).toThrow(/defined twice/)
  })
})

type ReceivedMessage = Record<string, unknown> & {
  payload: Record<string, unknown>
  envelope: Record<string, unknown>
}

function messageOf({ envelope, payload: body }: { envelope: unknown; payload: unknown }) {
  return { envelope, payload: body }
}
