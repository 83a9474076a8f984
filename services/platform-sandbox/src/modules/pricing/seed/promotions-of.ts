import { addDays, type IsoDate } from '@melmastoon/domain'
import type { WorldTenant } from '../../../world/world.ts'
import { localAmount } from './tax-table.ts'

export interface SeedPromotion {
  readonly code: string
  readonly basis_points: number | null
  readonly amount_micro: string | null
  readonly currency: string | null
  readonly min_nights: number
  readonly starts_at: IsoDate
  readonly ends_at: IsoDate
  readonly redemptions_max: number
}

const PERCENT = { amount_micro: null, currency: null }

export function promotionsOf(tenant: WorldTenant, anchorDate: IsoDate): SeedPromotion[] {
  const dates = { starts_at: addDays(anchorDate, -30), ends_at: addDays(anchorDate, 335) }
  const welcome = { code: 'WELCOME10', ...PERCENT, basis_points: 1_000, min_nights: 2 }
  const common = [{ ...welcome, ...dates, redemptions_max: 1_000 }]
  if (!tenant.isRich) return common
  const { primaryCurrency: currency } = tenant
  return [
    ...common,
    {
      code: 'TEA5',
      basis_points: null,
      amount_micro: localAmount(500, 'USD', currency),
      currency,
      min_nights: 1,
      ...dates,
      redemptions_max: 500,
    },
    { ...welcome, code: 'LASTONE', min_nights: 1, ...dates, redemptions_max: 1 },
    {
      ...welcome,
      code: 'BYGONE',
      starts_at: addDays(anchorDate, -60),
      ends_at: addDays(anchorDate, -30),
      redemptions_max: 1_000,
    },
  ]
}
