import { describe, expect, it } from 'vitest'
import { diffOpenApi } from './diff-openapi.ts'

type Change = (document: ReturnType<typeof example>) => unknown

function example() {
  return {
    paths: {
      '/notes': {
        get: {
          parameters: [
            {
              in: 'query',
              name: 'limit',
              required: false,
              schema: { type: 'integer', maximum: 50 },
            },
          ],
          responses: {
            200: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } },
            },
          } as Record<string, object>,
        },
        post: {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  additionalProperties: false,
                  required: ['text'],
                  properties: {
                    text: { type: 'string', maxLength: 100 },
                    mood: { type: 'string', enum: ['good', 'bad'] },
                  } as Record<string, object>,
                },
              },
            },
          },
          responses: { 201: {} },
        },
      } as Record<string, object>,
    } as Record<string, Record<string, object>>,
    components: {
      schemas: {
        Note: {
          type: 'object',
          required: ['id'],
          properties: {
            id: { type: 'string' },
            tags: { type: 'array', items: { type: 'string' } },
          } as Record<string, object>,
        },
      },
    },
  }
}

function diffAfter(change: Change) {
  const after = example()
  change(after)
  return diffOpenApi(example(), after).map(({ at, rule }) => `${at}: ${rule}`)
}

const dig = (target: unknown, path: string) =>
  path.split('|').reduce<Record<string, never>>((at, step) => at[step] as never, target as never)

const body = 'paths|/notes|post|requestBody|content|application/json|schema'
const note = 'components|schemas|Note'

describe('diffOpenApi', () => {
  it('finds nothing in an unchanged or extended document', () => {
    expect(diffAfter(() => {})).toEqual([])
    const extended = diffAfter((next) => {
      next.paths['/new'] = { get: {} }
      Object.assign(dig(next, `${note}|properties`), { extra: { type: 'string' } })
      Object.assign(dig(next, `${body}|properties`), { extra: { type: 'string' } })
      Object.assign(dig(next, `${body}|properties|mood`), { enum: ['good', 'bad', 'ugly'] })
      Object.assign(dig(next, `${body}|properties|text`), { maxLength: 200 })
    })
    expect(extended).toEqual([])
  })

  it('finds nothing when an object becomes a union of objects', () => {
    const union = { oneOf: [{ $ref: '#/components/schemas/Note' }, { type: 'object' }] }
    const before = example()
    Object.assign(dig(before, `${body}|properties`), { extra: { type: 'object' } })
    const after = example()
    Object.assign(dig(after, `${body}|properties`), { extra: union })
    expect(diffOpenApi(before, after)).toEqual([])
    Object.assign(dig(after, `${body}|properties`), { extra: { oneOf: [{ type: 'string' }] } })
    expect(diffOpenApi(before, after)).toEqual([
      { at: 'POST /notes body/extra', rule: 'type changed' },
    ])
  })

  const breaking: [string, Change, string][] = [
    ['removed path', (d) => delete d.paths['/notes'], '/notes: path removed'],
    ['removed method', (d) => delete d.paths['/notes']?.['get'], 'GET /notes: method removed'],
    [
      'removed response',
      (d) => delete dig(d, 'paths|/notes|get|responses')['200'],
      'GET /notes 200: response removed',
    ],
    [
      'removed response field',
      (d) => delete dig(d, `${note}|properties`)['tags'],
      'GET /notes 200/tags: field removed',
    ],
    [
      'optional response field',
      (d) => Object.assign(dig(d, note), { required: [] }),
      'GET /notes 200/id: no longer always present',
    ],
    [
      'changed type',
      (d) => Object.assign(dig(d, `${note}|properties|id`), { type: 'integer' }),
      'GET /notes 200/id: type changed',
    ],
    [
      'changed item type',
      (d) => Object.assign(dig(d, `${note}|properties|tags|items`), { type: 'integer' }),
      'GET /notes 200/tags/items: type changed',
    ],
    [
      'new required field',
      (d) => Object.assign(dig(d, body), { required: ['text', 'mood'] }),
      'POST /notes body/mood: now required',
    ],
    [
      'dropped request field',
      (d) => delete dig(d, `${body}|properties`)['mood'],
      'POST /notes body/mood: field no longer accepted',
    ],
    [
      'narrowed enum',
      (d) => Object.assign(dig(d, `${body}|properties|mood`), { enum: ['good'] }),
      'POST /notes body/mood: enum narrowed',
    ],
    [
      'shorter text',
      (d) => Object.assign(dig(d, `${body}|properties|text`), { maxLength: 10 }),
      'POST /notes body/text: maxLength lowered',
    ],
    [
      'smaller page',
      (d) => Object.assign(dig(d, 'paths|/notes|get|parameters|0|schema'), { maximum: 10 }),
      'GET /notes query limit: maximum lowered',
    ],
    [
      'required parameter',
      (d) => Object.assign(dig(d, 'paths|/notes|get|parameters|0'), { required: true }),
      'GET /notes query limit: now required',
    ],
    [
      'removed parameter',
      (d) => Object.assign(dig(d, 'paths|/notes|get'), { parameters: [] }),
      'GET /notes query limit: parameter removed',
    ],
  ]

  it.each(breaking)('finds a %s', (_name, change, finding) => {
    expect(diffAfter(change)).toEqual([finding])
  })
})
