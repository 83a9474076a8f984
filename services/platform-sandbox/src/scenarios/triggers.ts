import type { UpstreamName } from '@melmastoon/upstream-contracts'
import { MAGIC_VALUES, type MagicValue } from '../modules/payment/module.ts'
import { magicScenario, PRICING_MAGIC_CODES, PRICING_SCENARIOS } from '../modules/pricing/module.ts'

export interface Trigger {
  /** As a caller writes it. */
  readonly value: string
  readonly where: UpstreamName | 'every upstream'
  readonly does: string
}

const HEADER = 'X-Sandbox-Scenario'

/** One call only; the control room breaks things until they are mended. */
const FAULT_TRIGGERS: readonly Trigger[] = [
  scenario('every upstream', 'down', 'Answers 503 at once.'),
  scenario('every upstream', 'down=reset', 'Cuts the connection without an answer.'),
  scenario('every upstream', 'slow=800', 'Does everything right, 800 ms later; up to 30 seconds.'),
  scenario('every upstream', 'hanging', 'Never answers; the connection is cut after a minute.'),
  scenario('every upstream', 'lying', 'Does everything right and answers against its contract.'),
  scenario('every upstream', 'flaky=50', 'Answers 503 to 50 of 100 calls.'),
]

const PRICING_TRIGGERS: readonly Trigger[] = [
  ...Object.entries(PRICING_SCENARIOS).map(([name, does]) => scenario('pricing', name, `${does}.`)),
  ...PRICING_MAGIC_CODES.map((code) => ({
    value: `promoCode ${code}`,
    where: 'pricing' as const,
    does: `Re-checks of the quote go as with “${magicScenario(code)}”.`,
  })),
]

const RESERVATION_TRIGGERS: readonly Trigger[] = [
  scenario('reservation', 'sold-out', 'The rooms of the quote have just been taken.'),
]

const PAYMENT_FIELDS: Readonly<Record<MagicValue['kind'], string>> = {
  card: 'cardToken',
  phone: 'phoneRef',
  amount: 'amount',
  webhook_suffix: 'cardToken or phoneRef …',
}

const PAYMENT_TRIGGERS: readonly Trigger[] = [
  scenario('payment', 'tok_…', 'A card payment goes as with that card token.'),
  ...MAGIC_VALUES.map(({ kind, value, about }) => ({
    value: `${PAYMENT_FIELDS[kind]} ${value}`,
    where: 'payment' as const,
    does: about,
  })),
]

/** Everything that a call itself can set off, in one table. */
export const TRIGGERS: readonly Trigger[] = [
  ...FAULT_TRIGGERS,
  ...PRICING_TRIGGERS,
  ...RESERVATION_TRIGGERS,
  ...PAYMENT_TRIGGERS,
]

function scenario(where: Trigger['where'], name: string, does: string): Trigger {
  return { value: `${HEADER}: ${name}`, where, does }
}
