import { type CurrencyCode, formatMoney, type Locale, money } from '@melmastoon/domain'

interface Named {
  readonly default: string
  readonly localized?: Readonly<Record<string, string>>
}

interface Rate {
  readonly cheapestNightlyMinor: number
  readonly totalForStayMinor: number
  readonly currency: string
  readonly isStale: boolean
}

interface Card {
  readonly name: Named
  readonly city: string
  readonly starRating?: number
  readonly guestRating?: { readonly value: number }
  readonly rateSnapshot?: Rate
  readonly badges: readonly string[]
}

export function showCard(card: Card, locale: Locale): string {
  const stars = '★'.repeat(card.starRating ?? 0)
  const rating = card.guestRating === undefined ? '' : ` ${card.guestRating.value}/10`
  const badges = card.badges.length === 0 ? '' : ` [${card.badges.join(', ')}]`
  const price = showRate(card.rateSnapshot, locale)
  return `${showName(card.name, locale)}, ${card.city} ${stars}${rating} · ${price}${badges}`
}

export function showName({ default: fallback, localized }: Named, locale: Locale): string {
  return localized?.[locale] ?? localized?.[locale.slice(0, 2)] ?? fallback
}

export function showRate(rate: Rate | undefined, locale: Locale): string {
  if (rate === undefined) return 'no price'
  const of = (minor: number) => formatMoney(money(minor, rate.currency as CurrencyCode), locale)
  const age = rate.isStale ? ', stale' : ''
  return `${of(rate.cheapestNightlyMinor)} a night, ${of(rate.totalForStayMinor)} in total${age}`
}
