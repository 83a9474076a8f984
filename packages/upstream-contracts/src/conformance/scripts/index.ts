import type { Script } from '../clients.ts'
import { aiScript } from './ai.ts'
import { billingScript } from './billing.ts'
import { housekeepingScript } from './housekeeping.ts'
import { iamScript } from './iam.ts'
import { inventoryScript } from './inventory.ts'
import { lockScript } from './lock.ts'
import { maintenanceScript } from './maintenance.ts'
import { notificationScript } from './notification.ts'
import { paymentScript } from './payment.ts'
import { pricingScript } from './pricing.ts'
import { propertyScript } from './property.ts'
import { reservationScript } from './reservation.ts'
import { searchScript } from './search.ts'
import { syncScript } from './sync.ts'
import { tenantScript } from './tenant.ts'
import { themeScript } from './theme.ts'

export const SCRIPTS: readonly Script[] = [
  tenantScript,
  iamScript,
  themeScript,
  propertyScript,
  searchScript,
  pricingScript,
  inventoryScript,
  housekeepingScript,
  maintenanceScript,
  reservationScript,
  paymentScript,
  notificationScript,
  lockScript,
  billingScript,
  aiScript,
  syncScript,
]
