import type { CurrencyCode } from '@melmastoon/domain'

const DEFAULT_CURRENCY: CurrencyCode = 'AFN'

const OWN: ReadonlyMap<string, CurrencyCode> = new Map([
  ['AF', 'AFN'],
  ['PK', 'PKR'],
  ['IR', 'IRR'],
  ['AE', 'AED'],
  ['GB', 'GBP'],
  ['GG', 'GBP'],
  ['IM', 'GBP'],
  ['JE', 'GBP'],
])

/** The euro area, its territories, and countries that use the euro without being members. */
const EURO = new Set(
  (
    'AT BE BG HR CY EE FI FR DE GR IE IT LV LT LU MT NL PT SK SI ES ' +
    'AX BL GF GP MF MQ PM RE YT AD MC ME SM VA XK'
  ).split(' '),
)

/** What load balancers report for an address without a known country. */
const UNKNOWN = new Set(['ZZ', 'XX'])

/**
 * The currency a visitor from there most likely uses: elsewhere the US dollar, and without a known
 * country the currency of the home market.
 */
export function currencyOfCountry(country: string | undefined): CurrencyCode {
  if (country === undefined || UNKNOWN.has(country)) return DEFAULT_CURRENCY
  return OWN.get(country) ?? (EURO.has(country) ? 'EUR' : 'USD')
}
