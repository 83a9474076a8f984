import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import { type Static, Type } from 'typebox'

/** The state of one part of a composed response. */
export const Section = Type.Object({
  status: Type.Enum(['fresh', 'stale', 'missing']),
  ageMs: Type.Integer({
    minimum: 0,
    description: 'Age when the response was composed; the `Age` header gives the time since then',
  }),
})

export type Section = Static<typeof Section>

export const FRESH_SECTION: Section = { status: 'fresh', ageMs: 0 }
export const MISSING_SECTION: Section = { status: 'missing', ageMs: 0 }

/** Ages are measured in fractions of a millisecond and published as integers. */
export function sectionOf({ status, ageMs }: Section): Section {
  return { status, ageMs: Math.round(ageMs) }
}

/** A response is degraded as soon as one of its sections is stale or missing. */
export function isDegraded(sections: Readonly<Record<string, Section>>): boolean {
  return Object.values(sections).some(({ status }) => status !== 'fresh')
}

/** One sample per section, labelled with its name and status. */
export function countSections(
  counter: CounterMetric<'section' | 'status'>,
  sections: Readonly<Record<string, Section>>,
): void {
  for (const [section, { status }] of Object.entries(sections)) counter.inc({ section, status })
}
