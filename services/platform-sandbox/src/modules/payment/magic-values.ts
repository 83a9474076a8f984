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
  /** Null: never automatically. */
  readonly afterSeconds: number | null
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
} as const satisfies Record<string, PhoneBehaviour>

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
  readonly kind: 'card' | 'phone' | 'amount' | 'webhook_suffix'
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
