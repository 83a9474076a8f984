import type { CurrencyCode } from '@melmastoon/domain'

const AT_HOME: CurrencyCode = 'AFN'

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

/** The euro area, its territories, and those who use the euro without being in it. */
const EURO = new Set(
  (
    'AT BE BG HR CY EE FI FR DE GR IE IT LV LT LU MT NL PT SK SI ES ' +
    'AX BL GF GP MF MQ PM RE YT AD MC ME SM VA XK'
  ).split(' '),
)

/** What load balancers say of an address that they cannot place. */
const NOWHERE = new Set(['ZZ', 'XX'])

/**
 * What a visitor from there most likely thinks in. Elsewhere it is the dollar, which travellers
 * can place anywhere; who comes from nowhere is taken to be at home.
 */
export function currencyOfCountry(country: string | undefined): CurrencyCode {
  if (country === undefined || NOWHERE.has(country)) return AT_HOME
  return OWN.get(country) ?? (EURO.has(country) ? 'EUR' : 'USD')
}
