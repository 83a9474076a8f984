import { createRegistry, defineEvent, snapshotRegistry } from '@melmastoon/events'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { findBreakingApi, findBreakingEvents, mayBreak } from './find-breaking.ts'

const api = (version: string, paths: string[]) =>
  JSON.stringify({
    info: { title: 'Sample', version },
    paths: Object.fromEntries(paths.map((path) => [path, { get: { responses: {} } }])),
  })

describe('a changed API', () => {
  it('may be extended', () => {
    expect(
      findBreakingApi({ before: api('1.0.0', ['/a']), after: api('1.0.0', ['/a', '/b']) }),
    ).toEqual([])
  })

  it('may remove something only in a new major version', () => {
    const before = api('1.4.0', ['/a', '/b'])
    expect(findBreakingApi({ before, after: api('1.5.0', ['/a']) })).toEqual(['/b: path removed'])
    expect(findBreakingApi({ before, after: api('2.0.0', ['/a']) })).toEqual([])
  })
})

function events(...fields: string[][]) {
  const definitions = fields.map((names, index) =>
    defineEvent({
      subject: `melmastoon.sample.thing${index}.happened.v1`,
      version: 1,
      producer: 'sample-service',
      retentionClass: 'operational',
      retentionDays: 90,
      sampleRate: 1,
      piiAllowed: names,
      payload: Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])), {
        additionalProperties: false,
      }),
      orderingKey: () => 'one',
    }),
  )
  return JSON.stringify(snapshotRegistry(createRegistry(definitions)))
}

const SAME = { before: '1.0.0', after: '1.0.0' }
const MAJOR = { before: '1.0.0', after: '2.0.0' }

describe('changed events', () => {
  it('may be extended', () => {
    const change = { before: events(['code']), after: events(['code'], ['code']) }
    expect(findBreakingEvents(change, SAME)).toEqual([])
  })

  it('may be removed only in a new major version', () => {
    const change = { before: events(['code'], ['code']), after: events(['code']) }
    expect(findBreakingEvents(change, SAME)).toEqual([
      'melmastoon.sample.thing1.happened.v1: removed',
    ])
    expect(findBreakingEvents(change, MAJOR)).toEqual([])
  })

  it('may never break the version of their subject', () => {
    const change = { before: events(['code', 'kind']), after: events(['code']) }
    const broken = expect.arrayContaining([expect.stringContaining('/kind: removed')])
    expect(findBreakingEvents(change, SAME)).toEqual(broken)
    expect(findBreakingEvents(change, MAJOR)).toEqual(broken)
  })
})

describe('mayBreak', () => {
  it.each([
    ['1.9.9', '2.0.0', true],
    ['1.0.0', '1.1.0', false],
    ['2.0.0', '1.0.0', false],
    ['0.3.0', '0.4.0', true],
    ['0.3.0', '0.3.1', false],
    ['0.9.0', '1.0.0', true],
    ['9.0.0', '10.0.0', true],
  ])('from %s to %s: %s', (before, after, allowed) => {
    expect(mayBreak(before, after)).toBe(allowed)
  })
})
