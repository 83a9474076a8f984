import type { UpstreamRefusal } from '@melmastoon/chassis/upstream'
import { type Problem, type ProblemCode, problem } from '@melmastoon/domain'

const POINTERS = {
  'MELMASTOON.SEARCH.CURSOR_INVALID': '/cursor',
  'MELMASTOON.SEARCH.AREA_INVALID': '/geo',
  'MELMASTOON.SEARCH.STAY_INVALID': '/dates',
  'MELMASTOON.SEARCH.PRICE_RANGE_INVALID': '/filters/priceRange',
} as const satisfies Partial<Record<ProblemCode, string>>

function isExplained(code: string | undefined): code is keyof typeof POINTERS {
  return code !== undefined && Object.hasOwn(POINTERS, code)
}

/** What the guest can mend is hers to hear; any other refusal is between the services. */
export function explainRefusal(refusal: UpstreamRefusal): Problem {
  const { code } = refusal
  if (!isExplained(code)) {
    return problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN', { cause: refusal })
  }
  const error = { pointer: POINTERS[code], code: 'refused', detail: 'cannot be searched for' }
  return problem(code, { errors: [error], cause: refusal })
}
