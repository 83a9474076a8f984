import { type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineEvent } from './definition.ts'
import { findPersonalData } from './pii.ts'

const closed = { additionalProperties: false }

function problemsOf(payload: TSchema, piiAllowed: string[] = []): string[] {
  return findPersonalData(
    defineEvent({
      subject: 'melmastoon.example.thing.happened.v1',
      version: 1,
      producer: 'example-service',
      retentionClass: 'operational',
      retentionDays: 1,
      sampleRate: 1,
      payload,
      piiAllowed,
      orderingKey: () => 'k',
    }),
  )
}

describe('P6 personal data in events', () => {
  it('P6 accepts listed fields at any depth', () => {
    const money = Type.Object({ currency: Type.String(), amountMinor: Type.Integer() }, closed)
    const payload = Type.Object(
      {
        tenantId: Type.String(),
        total: money,
        trail: Type.Array(Type.Object({ cache: Type.Union([Type.String(), Type.Null()]) }, closed)),
      },
      closed,
    )
    expect(problemsOf(payload)).toEqual([])
  })

  it('P6 rejects a field that is on no allow-list, at any depth', () => {
    const leaf = Type.String()
    expect(problemsOf(Type.Object({ surprise: leaf }, closed))).toHaveLength(1)
    expect(problemsOf(Type.Object({ a: Type.Object({ surprise: leaf }, closed) }, closed))).toEqual(
      ['payload/a/surprise: not in an allow-list'],
    )
    expect(problemsOf(Type.Object({ surprise: Type.Array(leaf) }, closed))).toHaveLength(1)
    expect(problemsOf(Type.Object({ surprise: Type.Optional(leaf) }, closed))).toHaveLength(1)
    expect(
      problemsOf(Type.Object({ surprise: Type.Union([leaf, Type.Null()]) }, closed)),
    ).toHaveLength(1)
    expect(problemsOf(Type.Object({ surprise: leaf }, closed), ['surprise'])).toEqual([])
  })

  it.each([
    'email',
    'guestEmail',
    'e_mail',
    'eMail',
    'phone',
    'phoneNumber',
    'nationalIdNumber',
    'firstName',
    'lastName',
    'name',
    'address',
    'ipAddress',
    'ip',
    'country',
    'userAgent',
    'text',
    'token',
  ])('P6 rejects %s even when an event lists it', (name) => {
    expect(problemsOf(Type.Object({ [name]: Type.String() }, closed), [name])).toHaveLength(1)
  })

  it('P6 a hash is allowed when its pattern proves that it is one', () => {
    const hash = Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })
    const payload = Type.Object({ guestEmailHash: Type.Union([hash, Type.Null()]) }, closed)
    expect(problemsOf(payload, ['guestEmailHash'])).toEqual([])
    expect(problemsOf(payload)).toHaveLength(1)
    const raw = Type.Object({ guestEmailHash: Type.String() }, closed)
    expect(problemsOf(raw, ['guestEmailHash'])).toHaveLength(1)
  })

  it.each<[string, TSchema]>([
    ['open', Type.Object({ tenantId: Type.String() })],
    ['nested open', Type.Object({ tenantId: Type.Object({}) }, closed)],
    ['record', Type.Object({ tenantId: Type.Record(Type.String(), Type.String()) }, closed)],
    ['any', Type.Object({ tenantId: Type.Unsafe<string>({}) }, closed)],
    ['true', Type.Unsafe({ type: 'object', properties: { tenantId: true }, ...closed })],
    ['array of anything', Type.Object({ tenantId: Type.Unsafe({ type: 'array' }) }, closed)],
    ['string', Type.String()],
    [
      'properties next to variants',
      Type.Unsafe({
        anyOf: [{ type: 'null' }],
        properties: { email: { type: 'string' } },
        ...closed,
      }),
    ],
  ])('P6 rejects a payload that can carry anything: %s', (_kind, payload) => {
    expect(problemsOf(payload, ['email']).length).toBeGreaterThan(0)
  })
})
