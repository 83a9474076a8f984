import type { Action } from './action.ts'
import { raiseAlert } from './alert-actions.ts'
import { chargeFolio, payFolio } from './folio-actions.ts'
import { expireHold } from './hold-actions.ts'
import {
  restorePropertyLocks,
  restoreReservationLocks,
  sendLockResponse,
  setGateway,
  setPropertyLocks,
  setReservationLocks,
  setVendor,
} from './lock-actions.ts'
import { openNight, sellOutNight } from './night-actions.ts'
import { resendWebhook, setWebhookDelivery } from './payment-actions.ts'
import { movePrices } from './price-actions.ts'
import { advanceTask, setRoomCondition, toggleRoomFlag } from './room-actions.ts'
import {
  changeStaffRole,
  disableStaff,
  enableStaff,
  revokeStaffSession,
  rotateSigningKeys,
} from './staff-actions.ts'
import { checkInGuest, checkOutGuest, markGuestNoShow } from './stay-actions.ts'
import { expireSuggestion, proposeSuggestion, withdrawSuggestion } from './suggestion-actions.ts'
import { resetCursor } from './sync-actions.ts'
import { reactivateTenant, suspendTenant } from './tenant-actions.ts'
import { publishNextTheme, rollBackTheme } from './theme-actions.ts'
import { breakUpstream, restoreAll, restoreUpstream } from './upstream-actions.ts'
import { advanceWorkOrder, complainAboutRoom } from './work-order-actions.ts'

/** All actions of the control room. */
export const ACTIONS: readonly Action[] = [
  breakUpstream,
  restoreUpstream,
  restoreAll,
  suspendTenant,
  reactivateTenant,
  publishNextTheme,
  rollBackTheme,
  movePrices,
  sellOutNight,
  openNight,
  expireHold,
  setRoomCondition,
  toggleRoomFlag,
  advanceTask,
  complainAboutRoom,
  advanceWorkOrder,
  setWebhookDelivery,
  resendWebhook,
  raiseAlert,
  proposeSuggestion,
  withdrawSuggestion,
  expireSuggestion,
  resetCursor,
  checkInGuest,
  checkOutGuest,
  markGuestNoShow,
  chargeFolio,
  payFolio,
  rotateSigningKeys,
  revokeStaffSession,
  changeStaffRole,
  disableStaff,
  enableStaff,
  setPropertyLocks,
  restorePropertyLocks,
  setReservationLocks,
  restoreReservationLocks,
  setGateway,
  setVendor,
  sendLockResponse,
]
