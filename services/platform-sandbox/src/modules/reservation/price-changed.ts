import { type Problem, problem } from '@melmastoon/domain'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'

/** The caller expected another digest; with the amounts, so that the guest can compare them. */
export function priceChanged(
  { digest, total }: Pick<Quote, 'digest' | 'total'>,
  previous?: Quote['total'],
): Problem {
  const extensions = { currentDigest: digest, current: total, ...(previous && { previous }) }
  return problem('MELMASTOON.PRICING.PRICE_CHANGED', { extensions })
}
