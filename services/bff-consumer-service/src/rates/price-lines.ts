import { type CurrencyCode, type Locale, type LocalizedText, textFor } from '@melmastoon/domain'
import { described, isoDate, named } from '@melmastoon/upstream-contracts'
import { PriceLine } from '@melmastoon/upstream-contracts/offers'
import { type Static, Type } from 'typebox'
import { exactMinor } from './exact-minor.ts'

/** One line of a price, as in a quote. */
export const PriceLineVM = named(
  'PriceLine',
  Type.Object({
    kind: PriceLine.properties.kind,
    code: Type.String({ description: 'Of a night that of the rate plan; EXTRA-CHILD, VAT …' }),
    label: Type.String({ description: 'In the language of the response' }),
    night: Type.Optional(described(isoDate(), 'Only of a night: the day on which it begins')),
    quantity: Type.Integer({
      minimum: 1,
      description:
        'What the amount is for: the rooms of a night, the nights of a discount, the nights ' +
        'times guests of an extra',
    }),
    amountMinor: Type.Integer({
      description:
        'For the whole `quantity`, in minor units of the currency of the price; negative for ' +
        'discounts. A night is before extras, discounts, fees and taxes that are not `included`',
    }),
    included: Type.Boolean({ description: 'A part of the lines above: shown, not added' }),
  }),
)

export type PriceLineVM = Static<typeof PriceLineVM>

/** A line with its label in all languages. */
export type CapturedLine = Omit<PriceLineVM, 'label'> & { readonly label: LocalizedText }

/** Null where an amount is not exact, in another currency, or the sum is not the total (D7). */
export function captureLines(
  lines: readonly PriceLine[],
  { currency, totalForStayMinor }: { currency: CurrencyCode; totalForStayMinor: number },
): readonly CapturedLine[] | null {
  const captured: CapturedLine[] = []
  let sum = 0
  for (const { amount, ...line } of lines) {
    const amountMinor =
      amount.currency === currency ? exactMinor(amount.amountMicro, currency) : null
    if (amountMinor === null) return null
    if (!line.included) sum += amountMinor
    captured.push({ ...line, amountMinor })
  }
  return sum === totalForStayMinor ? captured : null
}

/** Every member is named: undeclared members of an upstream response are dropped. */
export function linesIn(lines: readonly CapturedLine[], locale: Locale): PriceLineVM[] {
  return lines.map(({ kind, code, label, night, quantity, amountMinor, included }) => ({
    kind,
    code,
    label: textFor(label, locale),
    ...(night !== undefined && { night }),
    quantity,
    amountMinor,
    included,
  }))
}
