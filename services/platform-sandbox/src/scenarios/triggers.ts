import type { UpstreamName } from '@melmastoon/upstream-contracts'
import { AI_SCENARIOS } from '../modules/ai/module.ts'
import { HOUSEKEEPING_SCENARIOS } from '../modules/housekeeping/module.ts'
import { LOCK_SCENARIOS } from '../modules/lock/module.ts'
import { MAINTENANCE_SCENARIOS } from '../modules/maintenance/module.ts'
import { ALERT_CHANGED_SCENARIO } from '../modules/notification/module.ts'
import { MAGIC_VALUES, type MagicValue } from '../modules/payment/module.ts'
import { magicScenario, PRICING_MAGIC_CODES, PRICING_SCENARIOS } from '../modules/pricing/module.ts'
import { CURSOR_CONFLICT_SCENARIO } from '../modules/sync/module.ts'

export interface Trigger {
  /** As sent by a caller. */
  readonly value: string
  readonly where: UpstreamName | 'every upstream'
  readonly does: string
}

const HEADER = 'X-Sandbox-Scenario'

/** For one call only; faults set in the control room last until restored. */
const FAULT_TRIGGERS: readonly Trigger[] = [
  scenario('every upstream', 'down', 'Returns 503 immediately.'),
  scenario('every upstream', 'down=reset', 'Closes the connection without a response.'),
  scenario(
    'every upstream',
    'slow=800',
    'Works correctly with a delay of 800 ms; at most 30 seconds.',
  ),
  scenario(
    'every upstream',
    'hanging',
    'The request is lost: no effect and no response; the connection is closed after a minute.',
  ),
  scenario(
    'every upstream',
    'unanswered',
    'The response is lost: takes effect, but never responds; closed after a minute.',
  ),
  scenario(
    'every upstream',
    'unanswered=reset',
    'The response is lost: takes effect, then closes the connection.',
  ),
  scenario('every upstream', 'lying', 'Works, but the response violates its contract.'),
  scenario('every upstream', 'flaky=50', 'Returns 503 for 50 percent of the calls.'),
]

const PRICING_TRIGGERS: readonly Trigger[] = [
  ...Object.entries(PRICING_SCENARIOS).map(([name, does]) => scenario('pricing', name, `${does}.`)),
  ...PRICING_MAGIC_CODES.map((code) => ({
    value: `promoCode ${code}`,
    where: 'pricing' as const,
    does: describeMagicCode(magicScenario(code)),
  })),
]

function describeMagicCode(scenario: string | null): string {
  const rechecks = `Re-checks of the quote behave as with “${scenario}”`
  return scenario === 'price-up' ? `${rechecks}, and so does the next quote.` : `${rechecks}.`
}

const RESERVATION_TRIGGERS: readonly Trigger[] = [
  scenario('reservation', 'sold-out', 'The rooms of the quote have just been taken.'),
  scenario('reservation', 'room-not-ready', 'At check-in the room is not ready.'),
  scenario('reservation', 'version-conflict', 'The reservation was changed by another operator.'),
]

const BILLING_TRIGGERS: readonly Trigger[] = [
  scenario('billing', 'folio-closed', 'The folio was closed before the charge.'),
]

const ROOM_TRIGGERS: readonly Trigger[] = [
  ...Object.entries(HOUSEKEEPING_SCENARIOS).map(([name, does]) =>
    scenario('housekeeping', name, `${does}.`),
  ),
  ...Object.entries(MAINTENANCE_SCENARIOS).map(([name, does]) =>
    scenario('maintenance', name, `${does}.`),
  ),
]

const PAYMENT_FIELDS: Readonly<Record<MagicValue['kind'], string>> = {
  card: 'cardToken',
  phone: 'phoneRef',
  number: 'phone',
  amount: 'amount',
  webhook_suffix: 'cardToken or phoneRef …',
}

const PAYMENT_TRIGGERS: readonly Trigger[] = [
  scenario('payment', 'tok_…', 'A card payment behaves as with that card token.'),
  ...MAGIC_VALUES.map(({ kind, value, about }) => ({
    value: `${PAYMENT_FIELDS[kind]} ${value}`,
    where: 'payment' as const,
    does: about,
  })),
]

const LOCK_TRIGGERS: readonly Trigger[] = Object.entries(LOCK_SCENARIOS).map(([name, does]) =>
  scenario('lock', name, `${does}.`),
)

const INBOX_TRIGGERS: readonly Trigger[] = [
  scenario(
    'notification',
    ALERT_CHANGED_SCENARIO,
    'An acknowledgement is rejected because the alert was changed.',
  ),
  ...[...AI_SCENARIOS].map(([name, { does }]) => scenario('ai', name, does)),
  scenario(
    'sync',
    CURSOR_CONFLICT_SCENARIO,
    'An advance is rejected because the cursor was advanced by another request.',
  ),
]

/** All triggers that a call can contain. */
export const TRIGGERS: readonly Trigger[] = [
  ...FAULT_TRIGGERS,
  ...PRICING_TRIGGERS,
  ...RESERVATION_TRIGGERS,
  ...ROOM_TRIGGERS,
  ...PAYMENT_TRIGGERS,
  ...BILLING_TRIGGERS,
  ...LOCK_TRIGGERS,
  ...INBOX_TRIGGERS,
]

function scenario(where: Trigger['where'], name: string, does: string): Trigger {
  return { value: `${HEADER}: ${name}`, where, does }
}
