import { type Locale, textFor } from '@melmastoon/domain'
import { id, named } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import type { SiteSettings } from '../site/read-tenant-settings.ts'
import type { SiteHotel } from './read-hotels.ts'

const POLICY_KINDS = ['privacy', 'terms', 'accessibility', 'cancellation'] as const

/** Plain text: a page escapes it. */
export const PolicyVM = named(
  'Policy',
  Type.Object({
    kind: Type.Enum([...POLICY_KINDS]),
    propertyId: Type.Union([id('ppt'), Type.Null()], {
      description: 'The hotel that a cancellation policy applies to; otherwise null',
    }),
    text: Type.String({ maxLength: 4_000 }),
  }),
  { kind: 'privacy', propertyId: null, text: 'We store your name to prepare your stay.' },
)

export type PolicyVM = Static<typeof PolicyVM>

/** The texts of the tenant, then the cancellation policy of each hotel. */
export function policiesOf(
  { config }: SiteSettings,
  hotels: readonly SiteHotel[],
  locale: Locale,
): PolicyVM[] {
  const { privacy, terms, accessibility } = config.policies
  const ofTenant = { privacy, terms, accessibility }
  return [
    ...Object.entries(ofTenant).map(([kind, text]) => ({
      kind: kind as keyof typeof ofTenant,
      propertyId: null,
      text: textFor(text, locale),
    })),
    ...hotels.map(({ propertyId, cancellation }) => ({
      kind: 'cancellation' as const,
      propertyId,
      text: textFor(cancellation.text, locale),
    })),
  ]
}
