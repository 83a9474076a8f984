import { type CurrencyCode, isProblem, type Money, microToMinor, problem } from '@melmastoon/domain'

interface WireMoney {
  readonly amountMicro: string
  readonly currency: CurrencyCode
}

/** 10^12 units: far above any bill, far below the limit of the columns. */
const AMOUNT_MAX_MICRO = 10n ** 18n

/** Positive, in range, and whole minor units: amounts are never rounded (D7). */
export function readAmount(amount: WireMoney, currency = amount.currency): bigint {
  const micro = BigInt(amount.amountMicro)
  if (amount.currency !== currency) throw invalid('The payment is in another currency.')
  if (micro <= 0n || micro > AMOUNT_MAX_MICRO) throw invalid('The amount is out of range.')
  minorOf(micro, currency)
  return micro
}

export function minorOf(micro: bigint, currency: CurrencyCode): Money {
  try {
    return microToMinor(micro, currency)
  } catch (error) {
    if (isProblem(error)) throw invalid('The amount is not a whole number of minor units.')
    throw error
  }
}

function invalid(detail: string) {
  return problem('MELMASTOON.PAYMENT.AMOUNT_INVALID', { detail })
}
