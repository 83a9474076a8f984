import { type Static, Type } from 'typebox'

/** What became of one part of an answer. */
export const Section = Type.Object({
  status: Type.Enum(['fresh', 'stale', 'missing']),
  ageMs: Type.Integer({ minimum: 0, description: 'When the page was made; `Age` adds the rest' }),
})

export type Section = Static<typeof Section>

/** Of cards by id: prices are told of only where a stay was asked for. */
export const CardSections = Type.Object({
  listings: Section,
  brands: Section,
  prices: Type.Optional(Section),
})

export type CardSections = Static<typeof CardSections>
