import type { WorldProperty } from './world.ts'

interface Terms {
  readonly kind: WorldProperty['cancellation']
  readonly freeUntilHours: number
  readonly penaltyBasisPoints: number
}

/** Of the most flexible public rate of a hotel, which its policy describes. */
export const CANCELLATION_TERMS: Readonly<Record<WorldProperty['cancellation'], Terms>> = {
  free: { kind: 'free', freeUntilHours: 48, penaltyBasisPoints: 10_000 },
  partial: { kind: 'partial', freeUntilHours: 72, penaltyBasisPoints: 5_000 },
  none: { kind: 'none', freeUntilHours: 0, penaltyBasisPoints: 10_000 },
}
