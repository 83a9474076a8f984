import type { IsoDateTime } from '@melmastoon/domain'
import { expect, it } from 'vitest'
import { boundedInstant } from './bounded-instant.ts'

const NOW = '2026-03-21T09:00:00.000Z' as IsoDateTime

it.each([
  [undefined, NOW],
  ['2026-03-21T08:59:58Z', '2026-03-21T08:59:58.000Z'],
  ['2026-03-21T08:00:00.000Z', '2026-03-21T08:00:00.000Z'],
  ['2026-03-21T07:59:59.999Z', NOW],
  ['2026-03-21T09:00:00.001Z', NOW],
  ['2026-02-30T25:00:00Z', NOW],
])('a clock that says %s is heard as %s', (said, heard) => {
  expect(boundedInstant(said as IsoDateTime | undefined, NOW)).toBe(heard)
})
