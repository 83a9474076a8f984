import { expect, it } from 'vitest'
import { CONTRACTS } from './contracts.ts'
import { sampleOf } from './sample.ts'
import { findSchemaError } from './validate-response.ts'

const NOW = new Date('2026-03-01T10:00:00Z')

const inputs = Object.values(CONTRACTS).flatMap(({ upstream, operations }) =>
  Object.entries(operations).flatMap(([name, operation]) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = (operation as { [part: string]: unknown })[part]
      return schema === undefined ? [] : [{ title: `${upstream}.${name} ${part}`, schema }]
    }),
  ),
)

it.each(inputs)('a sample of $title is valid under the contract', ({ schema }) => {
  const known = schema as Parameters<typeof sampleOf>[0]
  expect(findSchemaError(known, sampleOf(known, NOW))).toBeNull()
})
