import type { UpstreamRefusal } from '@melmastoon/chassis/upstream'
import { type FieldError, type Problem, type ProblemCode, problem } from '@melmastoon/domain'

const REFUSED = { code: 'refused', detail: 'cannot be searched for' }

const FAULTS = {
  'MELMASTOON.SEARCH.CURSOR_INVALID': {
    pointer: '/cursor',
    code: 'refused',
    detail: 'is not the nextCursor of this search',
  },
  'MELMASTOON.SEARCH.AREA_INVALID': { pointer: '/geo', ...REFUSED },
  'MELMASTOON.SEARCH.STAY_INVALID': { pointer: '/dates', ...REFUSED },
  'MELMASTOON.SEARCH.PRICE_RANGE_INVALID': { pointer: '/filters/priceRange', ...REFUSED },
} as const satisfies Partial<Record<ProblemCode, FieldError>>

function isExplained(code: string | undefined): code is keyof typeof FAULTS {
  return code !== undefined && Object.hasOwn(FAULTS, code)
}

/** What the guest can mend is hers to hear; any other refusal is between the services. */
export function explainRefusal(refusal: UpstreamRefusal): Problem {
  const { code } = refusal
  if (!isExplained(code)) {
    return problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN', { cause: refusal })
  }
  return problem(code, { errors: [FAULTS[code]], cause: refusal })
}
