import type { Action } from './action.ts'
import { openNight, sellOutNight } from './night-actions.ts'
import { resendWebhook, setWebhookFate } from './payment-actions.ts'
import { movePrices } from './price-actions.ts'
import { reactivateTenant, suspendTenant } from './tenant-actions.ts'
import { publishNextTheme, rollBackTheme } from './theme-actions.ts'
import { breakUpstream, mendAll, mendUpstream } from './upstream-actions.ts'

/** Every button of the room. */
export const ACTIONS: readonly Action[] = [
  breakUpstream,
  mendUpstream,
  mendAll,
  suspendTenant,
  reactivateTenant,
  publishNextTheme,
  rollBackTheme,
  movePrices,
  sellOutNight,
  openNight,
  setWebhookFate,
  resendWebhook,
]
