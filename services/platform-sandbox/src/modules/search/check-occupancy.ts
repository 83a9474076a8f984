import { problem } from '@melmastoon/domain'
import type { Criteria } from './plan-search.ts'

/** Prices depend on the age of every child; without ages all count as the oldest. */
export function checkOccupancy({ children, childrenAges }: Criteria['occupancy']): void {
  if (childrenAges === undefined || childrenAges.length === children) return
  const detail = 'one age per child'
  const errors = [{ pointer: '/occupancy/childrenAges', code: 'count', detail }]
  throw problem('MELMASTOON.SEARCH.STAY_INVALID', { detail, errors })
}
