import { CURRENCY_CODES, type CurrencyCode, isCurrency, problem } from '@melmastoon/domain'
import { currencyOfCountry } from './currency-of-country.ts'

export interface CurrencyWishes {
  /** Said in the body, for this request. */
  readonly explicit: string | undefined
  /** `X-Currency`: as explicit, and wins over what is remembered. */
  readonly header: string | undefined
  readonly preferred: CurrencyCode | undefined
  /** Where the request comes from. Not for shared answers: a CDN does not tell countries apart. */
  readonly country?: string | undefined
  /** Where the request says it; in the body unless told otherwise. */
  readonly pointer?: string
}

export function chooseCurrency(wishes: CurrencyWishes): CurrencyCode {
  const { explicit, header, preferred, country, pointer } = wishes
  if (explicit !== undefined) return knownCurrency(explicit, pointer)
  if (header !== undefined) return knownCurrency(header, '/headers/x-currency')
  return preferred ?? currencyOfCountry(country)
}

/** @throws Problem when the platform does not show it. */
export function knownCurrency(value: string, pointer = '/currency'): CurrencyCode {
  if (isCurrency(value)) return value
  const detail = `must be one of ${CURRENCY_CODES.join(', ')}`
  throw problem('MELMASTOON.BFF.CONSUMER.CURRENCY_NOT_SUPPORTED', {
    errors: [{ pointer, code: 'unsupported', detail }],
  })
}
