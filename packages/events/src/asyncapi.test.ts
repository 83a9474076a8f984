import { EXAMPLE_EVENTS } from '@melmastoon/testkit/example-events'
import { describe, expect, it } from 'vitest'
import { toAsyncApi } from './asyncapi.ts'
import { createRegistry } from './registry.ts'
import { parseSubject, schemaUriOf } from './subject.ts'

const registry = createRegistry([...EXAMPLE_EVENTS])
const document = JSON.parse(
  JSON.stringify(toAsyncApi(registry, { title: 'Example', version: '1.0.0' })),
) as Record<string, Record<string, Record<string, unknown>>>

describe('ECO-10 AsyncAPI document', () => {
  it('ECO-10 publishes exactly the subjects of the registry', () => {
    const addresses = Object.values(document['channels'] ?? {}).map((channel) =>
      String(channel['address']),
    )
    expect(addresses.toSorted()).toEqual(
      registry.definitions.map((item) => item.subject).toSorted(),
    )
    expect(Object.keys(document['operations'] ?? {})).toHaveLength(EXAMPLE_EVENTS.length)
  })

  it('ECO-10 every reference resolves', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(0)
    for (const [, path = ''] of references) {
      const target = path.split('/').reduce<unknown>(step, document)
      expect([path, typeof target]).toEqual([path, 'object'])
    }
  })

  it('ECO-10 carries the retention rules and the contract', () => {
    expect(document['components']?.['messages']?.['example-note-reserved-v1']).toMatchObject({
      name: 'melmastoon.example.note.reserved.v1',
      'x-retention-class': 'audit',
      'x-retention-days': 365,
      'x-sample-rate': 1,
    })
    expect(document['components']?.['schemas']?.['example-note-placed-v1']).toMatchObject({
      $id: 'https://schemas.melmastoon.ghasi.io/example/note-placed/v1.json',
      additionalProperties: false,
    })
  })
})

describe('event subjects', () => {
  it.each([
    ['melmastoon.bff.tenant.booking.draft.created.v1', 'bff-tenant/booking-draft-created/v1'],
    ['melmastoon.bff.consumer.search.executed.v1', 'bff-consumer/search-executed/v1'],
    ['melmastoon.bff.tenant.payment_intent.created.v2', 'bff-tenant/payment-intent-created/v2'],
    ['melmastoon.theme.published.v1', 'theme/published/v1'],
  ])('%s is described at %s', (subject, path) => {
    expect(schemaUriOf(subject)).toBe(`https://schemas.melmastoon.ghasi.io/${path}.json`)
  })

  it.each([
    '',
    'melmastoon.v1',
    'melmastoon.a.v1',
    'melmastoon.a.b',
    'melmastoon.a.b.v0',
    'melmastoon.a.B.v1',
    'x.a.b.v1',
    'melmastoon.a.b.v1\n',
    'melmastoon..b.v1',
  ])('%j is not a subject', (subject) => {
    expect(parseSubject(subject)).toBeNull()
    expect(() => schemaUriOf(subject)).toThrow(TypeError)
  })
})

function step(node: unknown, key: string): unknown {
  return (node as Record<string, unknown> | undefined)?.[key]
}
