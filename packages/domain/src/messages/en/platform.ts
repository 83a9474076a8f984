import { area } from '../area.ts'
import { AGAIN, RELOAD, SIGN_IN } from './repeated.ts'

export const platform = {
  ...area('errors.general', {
    resource_not_found: 'We could not find what you are looking for.',
    route_not_found: 'This address does not exist.',
    method_not_allowed: 'This action is not possible here.',
    validation_failed:
      '{errorCount, plural, =0 {Some entries are not valid. Please check them.} ' +
      'one {One entry is not valid. Please check it.} ' +
      'other {# entries are not valid. Please check them.}}',
    malformed_body: `The request could not be read. ${RELOAD}`,
    unsupported_media_type: `The request has a format that we do not support. ${RELOAD}`,
    payload_too_large: 'This is too much data at once. Please send less.',
    headers_too_large:
      'Your browser sends too much data. Please delete the cookies of this site and try again.',
    request_timeout: `The connection is slow, and your request did not arrive in full. ${AGAIN}`,
    not_acceptable: 'This version of the app is not supported. Please update it.',
    cross_site_request: 'For your security, requests from other sites are rejected.',
    unauthenticated: 'Please sign in first.',
    forbidden: 'You are not allowed to do this.',
    rate_limited: `You have sent too many requests. ${AGAIN}`,
    internal: 'Something went wrong on our side. Please try again later.',
    overloaded: `Many people are using the service right now. ${AGAIN}`,
    shutting_down: `The service is restarting. ${AGAIN}`,
    deadline_exceeded: `This took too long. ${AGAIN}`,
    dependency_unavailable: `A part of the service is not available at present. ${AGAIN}`,
    conflict: `Somebody else made a change at the same moment. ${AGAIN}`,
    event_refused: 'The data is not valid and was not stored.',
  }),
  ...area('errors.idempotency', {
    key_missing: `The request is incomplete. ${RELOAD}`,
    key_invalid: `The request is not valid. ${RELOAD}`,
    key_reused: `This request was already sent with other data. ${RELOAD}`,
    in_flight: `Your request is still being processed. ${AGAIN}`,
  }),
  ...area('errors.session', {
    cookie_invalid: 'Your visit has ended. Please reload the page to start again.',
    revoked: `You have been signed out. ${SIGN_IN}`,
  }),
  ...area('errors.security', {
    token_invalid: `Your sign-in is not valid. ${SIGN_IN}`,
    token_expired: `Your sign-in has expired. ${SIGN_IN}`,
    device_mismatch: `You signed in on another device. ${SIGN_IN}`,
    step_up_required: 'Please confirm with your second factor that it is you.',
    dpop_proof_invalid:
      'This device could not prove its identity. Check its clock and sign in again.',
    dpop_replayed: 'For your security, a repeated request was rejected. Please try again.',
    dpop_nonce_required: 'This device must prove its identity again. Please try again.',
  }),
  ...area('errors.iam', {
    invalid_credentials: 'The hotel, the user name or the password is wrong.',
    refresh_invalid: `Your sign-in is no longer valid. ${SIGN_IN}`,
    refresh_reused: `For your security, you have been signed out. ${SIGN_IN}`,
    session_not_found: `Your sign-in was not found. ${SIGN_IN}`,
    operator_not_found: 'This member of staff was not found.',
    mfa_failed: 'The code is wrong. Please enter the next one.',
    mfa_locked:
      '{retryAfterMinutes, plural, =0 {Too many wrong codes. Please wait a few minutes.} ' +
      'one {Too many wrong codes. Please wait # minute.} ' +
      'other {Too many wrong codes. Please wait # minutes.}}',
  }),
  ...area('errors.job', {
    unknown: 'This job does not exist.',
    already_running: `The job is already running. ${AGAIN}`,
  }),
}
