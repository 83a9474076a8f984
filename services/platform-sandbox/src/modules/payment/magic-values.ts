import type { WebhookDelivery } from '../../scenarios/scenario-board.ts'

export interface CardBehaviour {
  readonly about: string
  /** `verify`: the payer confirms in a second step first. `nothing`: the charge never arrives. */
  readonly outcome: 'approve' | 'decline' | 'verify' | 'nothing'
  readonly declineCode?: string
  /** The caller receives no response. */
  readonly hangs?: true
  readonly captureDeclineCode?: string
  readonly webhookDelivery?: WebhookDelivery
}

/** The behaviour of a card, by its token. Without a token the payer chooses on the page. */
export const MAGIC_CARDS = {
  tok_ok: { about: 'Approved immediately.', outcome: 'approve' },
  tok_decline_insufficient_funds: {
    about: 'Declined: insufficient funds.',
    outcome: 'decline',
    declineCode: 'insufficient_funds',
  },
  tok_decline_lost_card: {
    about: 'Declined: the card was reported lost.',
    outcome: 'decline',
    declineCode: 'lost_card',
  },
  tok_3ds: { about: 'The payer has to confirm in a second step.', outcome: 'verify' },
  tok_capture_declined: {
    about: 'Authorized, but the capture is declined (capture mode manual).',
    outcome: 'approve',
    captureDeclineCode: 'authorization_revoked',
  },
  tok_timeout: {
    about: 'Approved, but no response and no webhook: only a lookup shows it.',
    outcome: 'approve',
    hangs: true,
    webhookDelivery: 'lost',
  },
  tok_timeout_lost: {
    about: 'No response and no charge: a lookup finds nothing.',
    outcome: 'nothing',
    hangs: true,
  },
  tok_gateway_down: { about: 'The provider is down: 502.', outcome: 'nothing' },
} as const satisfies Record<string, CardBehaviour>

export interface PhoneBehaviour {
  readonly about: string
  readonly webhookDelivery?: WebhookDelivery
  readonly settleAs: 'approve' | 'decline'
  /** Null: never automatically. `after_hold`: some seconds after the hold on the room expires. */
  readonly afterSeconds: number | 'after_hold' | null
  /** The caller receives no response. */
  readonly hangs?: true
  /** The request never reaches the provider. */
  readonly isLost?: true
}

/** The response of the payer's phone, by its reference; a button on the page may be faster. */
export const MAGIC_PHONES = {
  phone_ok: { about: 'Approved after three seconds.', settleAs: 'approve', afterSeconds: 3 },
  phone_slow: { about: 'Approved after a minute.', settleAs: 'approve', afterSeconds: 60 },
  phone_decline: { about: 'Declined after three seconds.', settleAs: 'decline', afterSeconds: 3 },
  phone_silent: {
    about: 'Waits for a button on the test page until the payment expires.',
    settleAs: 'approve',
    afterSeconds: null,
  },
  phone_late: {
    about: 'Approved after the hold on the room has expired.',
    settleAs: 'approve',
    afterSeconds: 'after_hold',
  },
  phone_timeout: {
    about: 'Approved after three seconds, but no response and no webhook.',
    settleAs: 'approve',
    afterSeconds: 3,
    hangs: true,
    webhookDelivery: 'lost',
  },
  phone_timeout_lost: {
    about: 'No response and no payment: a lookup finds nothing.',
    settleAs: 'approve',
    afterSeconds: null,
    hangs: true,
    isLost: true,
  },
  phone_gateway_down: {
    about: 'The provider is down: 502.',
    settleAs: 'approve',
    afterSeconds: null,
    isLost: true,
  },
} as const satisfies Record<string, PhoneBehaviour>

/** Test numbers, as a guest types them; every other number behaves as `phone_ok`. */
export const MAGIC_NUMBERS = {
  '+93700000000': 'phone_ok',
  '+93700000001': 'phone_decline',
  '+93700000002': 'phone_slow',
  '+93700000003': 'phone_silent',
  '+93700000004': 'phone_late',
  '+93700000005': 'phone_timeout',
  '+93700000006': 'phone_timeout_lost',
  '+93700000007': 'phone_gateway_down',
  '+93700000008': 'phone_ok_webhook_lost',
  '+93700000009': 'phone_ok_webhook_twice',
  '+93700000010': 'phone_ok_webhook_late',
  '+93700000011': 'phone_ok_webhook_reversed',
} as const satisfies Record<string, string>

/** Amounts, in minor units of any currency, that are declined for any card or phone. */
const MAGIC_AMOUNTS = {
  40_002: { about: 'Declined: insufficient funds.', declineCode: 'insufficient_funds' },
  40_005: { about: 'Declined without a reason.', declineCode: 'do_not_honor' },
} as const

/** Suffix of any token or phone reference: how the webhooks of the payment are delivered. */
export const DELIVERY_SUFFIXES = {
  _webhook_prompt: 'prompt',
  _webhook_late: 'late',
  _webhook_lost: 'lost',
  _webhook_twice: 'twice',
  _webhook_reversed: 'reversed',
} as const satisfies Record<string, WebhookDelivery>

export interface MagicValue {
  readonly kind: 'card' | 'phone' | 'number' | 'amount' | 'webhook_suffix'
  readonly value: string
  readonly about: string
}

const DELIVERY_ABOUT: Readonly<Record<WebhookDelivery, string>> = {
  prompt: 'Webhooks arrive immediately, overriding the setting for all payments.',
  late: 'Webhooks arrive late.',
  lost: 'Webhooks never arrive.',
  twice: 'Every webhook arrives twice.',
  reversed: 'Webhooks that are close together arrive in reverse order.',
}

/** All magic values, for the documentation. */
export const MAGIC_VALUES: readonly MagicValue[] = [
  ...entriesOf(MAGIC_CARDS).map(([value, { about }]) => ({ kind: 'card' as const, value, about })),
  ...entriesOf(MAGIC_PHONES).map(([value, { about }]) => ({
    kind: 'phone' as const,
    value,
    about,
  })),
  ...entriesOf(MAGIC_NUMBERS).map(([value, ref]) => ({
    kind: 'number' as const,
    value,
    about: `The reference behaves as \`${ref}\`.`,
  })),
  ...entriesOf(MAGIC_AMOUNTS).map(([minor, { about }]) => ({
    kind: 'amount' as const,
    value: (Number(minor) / 100).toFixed(2),
    about,
  })),
  ...entriesOf(DELIVERY_SUFFIXES).map(([value, delivery]) => ({
    kind: 'webhook_suffix' as const,
    value,
    about: DELIVERY_ABOUT[delivery],
  })),
]

export interface Magic<B> {
  readonly behaviour: B
  readonly webhookDelivery: WebhookDelivery | null
}

export function readCardToken(token: string): Magic<CardBehaviour> | undefined {
  return readMagic<CardBehaviour>(MAGIC_CARDS, token)
}

export function readPhoneRef(ref: string): Magic<PhoneBehaviour> | undefined {
  return readMagic<PhoneBehaviour>(MAGIC_PHONES, ref)
}

/** The test reference that a number behaves as. */
export function behaviourOfNumber(phone: string): string {
  const numbers: Readonly<Record<string, string>> = MAGIC_NUMBERS
  return Object.hasOwn(numbers, phone) ? (numbers[phone] ?? 'phone_ok') : 'phone_ok'
}

export function amountDecline(amountMinor: number): string | undefined {
  const magic: Readonly<Record<number, { declineCode: string }>> = MAGIC_AMOUNTS
  return magic[amountMinor]?.declineCode
}

function readMagic<B extends { webhookDelivery?: WebhookDelivery }>(
  table: Readonly<Record<string, B>>,
  value: string,
): Magic<B> | undefined {
  const suffix = entriesOf(DELIVERY_SUFFIXES).find(([name]) => value.endsWith(name))
  const name = suffix === undefined ? value : value.slice(0, -suffix[0].length)
  const behaviour = Object.hasOwn(table, name) ? table[name] : undefined
  if (behaviour === undefined) return undefined
  return { behaviour, webhookDelivery: suffix?.[1] ?? behaviour.webhookDelivery ?? null }
}

function entriesOf<T extends object>(table: T) {
  return Object.entries(table) as [string & keyof T, T[keyof T]][]
}
