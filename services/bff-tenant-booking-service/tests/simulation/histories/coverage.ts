/** A row of a table of the fulfilment rules, and how its occurrence in a history is recognised. */
export interface Row {
  readonly name: string
  readonly pattern: RegExp
}

const row = (name: string, pattern: RegExp): Row => ({ name, pattern })

/** Section 3: each call with each outcome. */
const CALLS: readonly (readonly [step: string, operation: string])[] = [
  ['hold', 'reservation.hold'],
  ['extend', 'reservation.extend'],
  ['create intent', 'payment.createIntent'],
  ['read intent', 'payment.getIntent'],
  ['confirm', 'reservation.confirm'],
  ['capture', 'payment.captureIntent'],
  ['cancel stay', 'reservation.cancel'],
  ['cancel intent', 'payment.cancelIntent'],
  ['refund', 'payment.createRefund'],
]

const steps = CALLS.flatMap(([step, operation]) => {
  const call = operation.replace('.', '\\.')
  return [
    row(`3 ${step}: ok`, new RegExp(`^${call} → ok`)),
    row(`3 ${step}: refused`, new RegExp(`^${call}.* → MELMASTOON`)),
    row(`3 ${step}: time-out, not landed`, new RegExp(`^${call} (request_lost|late|unavailable)`)),
    row(`3 ${step}: time-out, landed`, new RegExp(`^${call} (response_lost|contract_broken)`)),
    row(`3 ${step}: crash`, new RegExp(`^${call}.*crash`)),
  ]
})

/** An intent that we know is never unknown to the payment service. */
const UNREACHABLE = new Set(['3 read intent: refused'])

export const ROWS: readonly Row[] = [
  ...steps.filter(({ name }) => !UNREACHABLE.has(name)),
  row('3 final: done', /^finish → ok/),
  row('3 final: fence lost', /^fenceLost/),
  row('3 final: crash', /^finish.*crash/),
  row('4 captured, hold active', /^decided confirm: captured, hold active/),
  row('4 authorised, hold active', /^decided confirm: authorized, hold active/),
  row(
    '4 captured, hold expired, price matched, room free',
    /^settled confirmed: captured, hold expired, price matched/,
  ),
  row(
    '4 captured, hold expired, price changed, room free',
    /^settled confirmed: captured, hold expired, price changed/,
  ),
  row('4 captured, hold expired, room gone', /^settled sold_out: refunded/),
  row('4 authorised, hold expired, room gone', /^settled sold_out: cancelled/),
  row('4 captured, upstream PRICE_CHANGED', /^settled price_changed/),
  row('4 captured, cancelled', /^settled cancelled/),
  row('4 captured, other amount', /^settled amount/),
  row('4 second captured intent', /^surplusIntents/),
  row('4 authorisation expired', /^authorization expired/),
  row('4 processing, less than two minutes left', /^steps extend-hold/),
  row('4 waiting at the end of the draft', /^settled abandoned/),
  row('4 refunded before confirm', /^staff refund (open|confirming|none)/),
  row('4 refunded after confirm', /^staff refund confirmed/),
  row('4 pending_cash, hold active', /^decided confirm: pending_cash, hold active/),
  row(
    '4 pending_cash, hold expired, price matched',
    /^decided confirm: pending_cash, hold expired, price matched/,
  ),
  row(
    '4 pending_cash, hold expired, price changed or gone',
    /^confirm rejected MELMASTOON\.BFF\.TENANT\.(PRICE_CHANGED|STAY_GONE)/,
  ),
  row('4 failed, hold active: other method', /^confirm rejected MELMASTOON\.PAYMENT\.DECLINED/),
  row('5 settled by the return', /^settled return confirmed/),
  row('5 settled by a webhook', /^settled webhook confirmed/),
  row('5 settled by confirm', /^settled confirm confirmed/),
  row('5 settled by the poller', /^settled poll confirmed/),
  row('5 checking while processing', /^return response/),
  row('5 webhook before the intent id', /^webhook before the intent id/),
  row('5 duplicate webhook', /^webhooks duplicate/),
  row('5 webhook for no known payment', /^webhooks unknown/),
  row('5 webhook with an old timestamp', /^webhooks rejected/),
  row('5 confirm while another claim works', /^sleep 100/),
  row('5 paused beyond the lease', /^fenceLost/),
  row('5 details edited while confirming', /^details rejected .*(ILLEGAL_TRANSITION|ENDED)/),
  row('5 killed between two steps', /^decide → ok, crash after/),
]

/** The rows that nothing in these histories has reached. */
export function unreached(happened: Iterable<string>): string[] {
  const events = [...happened]
  return ROWS.filter(({ pattern }) => !events.some((event) => pattern.test(event))).map(
    ({ name }) => name,
  )
}
