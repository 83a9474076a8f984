import { EXAMPLE_EVENTS } from '@melmastoon/testkit/example-events'
import { type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { createRegistry } from './registry.ts'
import { diffSnapshots, snapshotRegistry } from './registry-snapshot.ts'
import { diffSchemas } from './schema-diff.ts'

const closed = { additionalProperties: false }
const base = Type.Object(
  {
    tenantId: Type.String(),
    cache: Type.Union([Type.Literal('HIT'), Type.Literal('MISS')]),
    state: Type.Unsafe<string>({ type: 'string', enum: ['a', 'b'] }),
    nights: Type.Integer({ minimum: 1, maximum: 30 }),
    note: Type.Optional(Type.String({ maxLength: 280 })),
    stay: Type.Object({ checkIn: Type.String({ format: 'date' }) }, closed),
    rooms: Type.Array(Type.Object({ id: Type.String() }, closed)),
  },
  closed,
)

function changed(properties: Record<string, TSchema | undefined>, required?: string[]): TSchema {
  const schema = JSON.parse(JSON.stringify(base)) as {
    properties: Record<string, unknown>
    required: string[]
  }
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) delete schema.properties[name]
    else schema.properties[name] = value
  }
  if (required !== undefined) schema.required = required
  return Type.Unsafe(schema)
}

const required = ['tenantId', 'cache', 'state', 'nights', 'stay', 'rooms']

describe('P6 schema-diff gate', () => {
  it('P6 equal schemas have no difference', () => {
    expect(diffSchemas(base, JSON.parse(JSON.stringify(base)))).toEqual([])
  })

  it.each<[string, TSchema]>([
    ['an optional field is added', changed({ extra: Type.String() })],
    [
      'an optional nested field is added',
      changed({ stay: stayWith({ checkOut: Type.Optional(Type.String()) }) }),
    ],
    [
      'an enum gains a value',
      changed({ state: Type.Unsafe({ type: 'string', enum: ['a', 'b', 'c'] }) }),
    ],
    ['a bound is loosened', changed({ nights: Type.Integer({ minimum: 0, maximum: 60 }) })],
    ['a bound is dropped', changed({ note: Type.String() })],
    ['texts change', changed({ tenantId: Type.String({ description: 'who', title: 't' }) })],
    [
      'keywords are reordered',
      changed({ nights: Type.Unsafe({ maximum: 30, minimum: 1, type: 'integer' }) }),
    ],
  ])('P6 passes when %s', (_what, after) => {
    expect(diffSchemas(base, after)).toEqual([])
  })

  it.each<[string, TSchema, string]>([
    ['a field is removed', changed({ note: undefined }), '/note: removed'],
    ['a field is renamed', changed({ note: undefined, remark: Type.String() }), '/note: removed'],
    ['a type changes', changed({ tenantId: Type.Integer() }), '/tenantId: type changed'],
    [
      'integer becomes number',
      changed({ nights: Type.Number({ minimum: 1, maximum: 30 }) }),
      '/nights: type changed',
    ],
    [
      'a field becomes nullable',
      changed({ tenantId: Type.Union([Type.String(), Type.Null()]) }),
      '/tenantId: type changed',
    ],
    [
      'a new field is required',
      changed({ extra: Type.String() }, [...required, 'extra']),
      '/extra: newly required',
    ],
    [
      'an optional field becomes required',
      changed({}, [...required, 'note']),
      '/note: newly required',
    ],
    [
      'a required field becomes optional',
      changed({}, required.slice(1)),
      '/tenantId: now optional',
    ],
    [
      'a nested field is removed',
      changed({ stay: Type.Object({}, closed) }),
      '/stay/checkIn: removed',
    ],
    [
      'a nested field is required anew',
      changed({ stay: stayWith({ checkOut: Type.String() }) }),
      '/stay/checkOut: newly required',
    ],
    [
      'an array item changes',
      changed({ rooms: Type.Array(Type.Object({ id: Type.Integer() }, closed)) }),
      '/rooms/*/id: type changed',
    ],
    [
      'items disappear',
      changed({ rooms: Type.Unsafe({ type: 'array' }) }),
      '/rooms/*: item schema added or removed',
    ],
    [
      'an enum loses a value',
      changed({ state: Type.Unsafe({ type: 'string', enum: ['a'] }) }),
      '/state: enum lost "b"',
    ],
    [
      'an enum appears',
      changed({ tenantId: Type.Unsafe({ type: 'string', enum: ['a'] }) }),
      '/tenantId: enum added or removed',
    ],
    [
      'a literal changes',
      changed({ cache: Type.Union([Type.Literal('HIT'), Type.Literal('miss')]) }),
      '/cache: const changed',
    ],
    [
      'a bound is tightened',
      changed({ nights: Type.Integer({ minimum: 2, maximum: 30 }) }),
      '/nights: minimum changed',
    ],
    [
      'a bound is added',
      changed({ tenantId: Type.String({ maxLength: 3 }) }),
      '/tenantId: maxLength changed',
    ],
    [
      'a pattern appears',
      changed({ tenantId: Type.String({ pattern: 'x' }) }),
      '/tenantId: pattern changed',
    ],
    [
      'a format changes',
      changed({ stay: Type.Object({ checkIn: Type.String({ format: 'date-time' }) }, closed) }),
      '/stay/checkIn: format changed',
    ],
    [
      'an unknown keyword appears',
      changed({ tenantId: Type.Unsafe({ type: 'string', not: {} }) }),
      '/tenantId: not changed',
    ],
  ])('P6 fails when %s', (_what, after, change) => {
    expect(diffSchemas(base, after)).toContain(change)
  })
})

describe('P6 snapshot gate', () => {
  const snapshot = snapshotRegistry(createRegistry([...EXAMPLE_EVENTS]))
  const subject = EXAMPLE_EVENTS[0].subject

  it('P6 passes for the same and for more subjects', () => {
    const { [subject]: _removed, ...fewer } = snapshot
    expect(diffSnapshots(snapshot, snapshot)).toEqual([])
    expect(diffSnapshots(fewer, snapshot)).toEqual([])
  })

  it('P6 fails for a lost subject, another producer or another class', () => {
    const { [subject]: entry, ...fewer } = snapshot
    const other = { producer: 'x', retentionClass: 'audit', payload: entry?.payload }
    expect(diffSnapshots(snapshot, fewer)).toEqual([`${subject}: removed`])
    expect(diffSnapshots(snapshot, { ...fewer, [subject]: other })).toEqual([
      `${subject}: producer changed`,
      `${subject}: retention class changed`,
    ])
  })
})

function stayWith(more: Record<string, TSchema>): TSchema {
  return Type.Object({ checkIn: Type.String({ format: 'date' }), ...more }, closed)
}
