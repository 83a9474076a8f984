import { area } from '../area.ts'
import { AGAIN, CHANGED, NOT_NOW } from './repeated.ts'

const ROOM_NOT_FOUND = 'This room was not found in this hotel.'

export const desk = {
  ...area('errors.billing', {
    folio_not_found: 'This bill was not found.',
    charge_not_found: 'This charge was not found.',
    folio_closed: 'This bill is closed and cannot be changed.',
    version_conflict: CHANGED,
    illegal_transition: 'The bill can only be closed when it is settled.',
    currency_mismatch: 'The amount must be in the currency of the bill.',
    negative_amount: 'The amount must be greater than zero.',
  }),
  ...area('errors.payment', {
    intent_not_found: 'This payment was not found.',
    declined: 'The payment was declined. Please use another card or another way to pay.',
    method_not_offered: 'This hotel does not offer this way to pay. Please choose another one.',
    illegal_transition: 'This is not possible in the current state of the payment.',
    refund_too_large: 'The refund must not exceed the amount that was paid.',
    gateway_unavailable: `The payment provider is not available. ${AGAIN}`,
    amount_invalid: 'The amount is not valid.',
    webhook_refused: 'The message of the payment provider could not be verified.',
  }),
  ...area('errors.lock', {
    request_not_found: 'This action on a room key was not found.',
    credential_not_found: 'This room key was not found.',
    vendor_refused: 'The lock system rejected the command. Please start a new action.',
    no_capable_device: 'No lock can do this. Please use another kind of key.',
    gateway_busy: `The lock system is busy. ${AGAIN}`,
    version_conflict: CHANGED,
    illegal_transition: 'This room key is not active.',
    window_invalid: 'The key must end after it begins, and in the future.',
    request_id_reused: 'This action was already used for something else. Please start a new one.',
    cursor_invalid: 'This list has changed. Please start again from the first page.',
  }),
  ...area('errors.notification', {
    alert_not_found: 'This alert was not found.',
    version_conflict: CHANGED,
  }),
  ...area('errors.ai', {
    suggestion_not_found: 'This suggestion was not found.',
    suggestion_decided: 'This suggestion was already decided.',
    suggestion_closed: 'This suggestion has expired or was withdrawn.',
    delta_invalid: 'This change of the suggestion is not valid.',
  }),
  ...area('errors.sync', {
    cursor_not_found: 'This device has not been synchronized yet.',
    cursor_conflict: 'This device was synchronized by another request. Please try again.',
    token_invalid: 'The synchronization has ended. Please try again.',
  }),
  ...area('errors.housekeeping', {
    task_not_found: 'This housekeeping task was not found.',
    room_not_found: ROOM_NOT_FOUND,
    room_state_conflict: 'This is not possible in the current state of the room.',
    version_conflict: CHANGED,
  }),
  ...area('errors.maintenance', {
    work_order_not_found: 'This work order was not found.',
    room_not_found: ROOM_NOT_FOUND,
    room_required: 'Please name the room that the work order blocks.',
    duplicate_open_work_order: 'The room already has an open work order of this kind.',
    invalid_status_transition: NOT_NOW,
    work_order_terminal: 'This work order is closed. Please create a new one.',
    version_conflict: CHANGED,
  }),
}
