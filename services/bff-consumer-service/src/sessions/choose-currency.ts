import { type CurrencyCode, isCurrency, problem } from '@melmastoon/domain'

const DEFAULT_CURRENCY: CurrencyCode = 'AFN'

export interface CurrencyWishes {
  /** Said in the body, for this request. */
  readonly explicit: string | undefined
  /** `X-Currency`: as explicit, and wins over what is remembered. */
  readonly header: string | undefined
  readonly preferred: CurrencyCode | undefined
  /** Where the request says it; in the body unless told otherwise. */
  readonly pointer?: string
}

export function chooseCurrency(wishes: CurrencyWishes): CurrencyCode {
  const { explicit, header, preferred, pointer = '/currency' } = wishes
  if (explicit !== undefined) return supported(explicit, pointer)
  if (header !== undefined) return supported(header, '/headers/x-currency')
  return preferred ?? DEFAULT_CURRENCY
}

function supported(value: string, pointer: string): CurrencyCode {
  if (isCurrency(value)) return value
  throw problem('MELMASTOON.BFF.CONSUMER.CURRENCY_NOT_SUPPORTED', {
    errors: [{ pointer, code: 'unsupported', detail: 'is not a currency we show' }],
  })
}
