import { area } from '../area.ts'
import { AGAIN, FROM_SEARCH, NOT_NOW, OTHER_STAY } from './repeated.ts'

const LINK_USED = `This booking link was already used. ${FROM_SEARCH}`
const LINK_EXPIRED = `This booking link has expired. ${FROM_SEARCH}`
const LINK_INVALID = `This booking link is not valid. ${FROM_SEARCH}`
const LANGUAGE = 'This language is not available. Please choose another one.'
const CURRENCY = 'This currency is not available. Please choose another one.'
const OUR_SIDE = 'Something went wrong on our side. Please try again later.'

export const bff = {
  ...area('errors.bff', {
    upstream_unavailable: `A part of the service is not available at present. ${AGAIN}`,
    upstream_timeout: `A part of the service did not respond in time. ${AGAIN}`,
    upstream_contract_broken: OUR_SIDE,
    upstream_request_rejected: OUR_SIDE,
    surface_mismatch: 'This page is at another address. Please use the address of the app.',
  }),
  ...area('errors.bff.consumer', {
    wishlist_limit_exceeded: 'Your wishlist is full. Please remove a hotel first.',
    handoff_replayed: LINK_USED,
    handoff_expired: LINK_EXPIRED,
    handoff_signature_invalid: LINK_INVALID,
    handoff_field_invalid: 'A detail of your booking is not valid. Please check it.',
    stay_not_bookable:
      'This stay cannot be booked. Please choose other dates, another room or another hotel.',
    tenant_suspended: 'This hotel does not accept bookings at present. Please choose another one.',
    suspected_bot: 'Please confirm that you are not a robot.',
    upstream_budget_exceeded: `The search took too long. ${AGAIN}`,
    locale_not_supported: LANGUAGE,
    currency_not_supported: CURRENCY,
  }),
  ...area('errors.bff.backoffice', {
    role_forbidden: 'Your role does not allow this action.',
    cursor_invalid: 'This list has changed. Please load it again.',
    lock_action_open:
      'Another action on these keys is still in progress. Please wait for its result.',
    lock_action_not_executed:
      'The lock system did not carry out the command. Please start a new action.',
    key_exists: 'The room already has a key of this kind.',
    intent_id_reused: 'This action was already sent with other data. Please enter it again.',
    intent_expired: 'This action is older than seven days. Please do it again online.',
    intent_dependency_failed: 'An earlier action that this one depends on was not applied.',
    upstream_budget_exceeded: `This took too long. ${AGAIN}`,
    locale_not_supported: LANGUAGE,
  }),
  ...area('errors.bff.tenant', {
    details_invalid: 'Some of your details are not valid. Please check them.',
    confirmation_not_found: 'This confirmation was not found. Please open the link you received.',
    site_not_found: 'There is no booking site at this address.',
    site_suspended: 'This hotel does not accept bookings at present. Please contact the hotel.',
    bootstrap_stale: 'There is a new version of this page. Please reload it.',
    handoff_replayed: LINK_USED,
    handoff_expired: LINK_EXPIRED,
    handoff_signature_invalid: LINK_INVALID,
    handoff_not_found: 'This booking link belongs to another hotel.',
    draft_not_found: 'This booking was not found. Please start again.',
    draft_ended: 'This booking has ended. Please start again.',
    draft_illegal_transition: NOT_NOW,
    draft_version_conflict: 'This booking was changed in another window. Please look at it again.',
    hold_expired: 'The room is no longer held for you. Please choose it again.',
    sold_out: `No room of this type is left. ${OTHER_STAY}`,
    price_changed: 'The price has changed. Please check the new price.',
    stay_gone: `This stay can no longer be booked. ${OTHER_STAY}`,
    consent_required: 'The terms have changed. Please read and accept them.',
    details_required: 'Please enter your details first.',
    payment_in_progress: `A payment is in progress. ${AGAIN}`,
    payment_captured: 'This booking is already paid. Please do not pay again.',
    extension_limit: 'The room cannot be held any longer. Please complete the booking.',
    quote_unavailable: `The price cannot be determined at present. ${AGAIN}`,
    locale_not_supported: LANGUAGE,
    currency_not_supported: CURRENCY,
    upstream_budget_exceeded: `This took too long. ${AGAIN}`,
    webhook_rejected: 'The message of the payment provider could not be verified.',
  }),
}
