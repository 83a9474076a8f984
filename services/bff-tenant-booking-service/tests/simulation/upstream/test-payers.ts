/** The test values of the sandbox that a simulation uses; the conformance test compares them. */
interface Card {
  readonly outcome: 'approve' | 'decline' | 'verify'
  readonly declineCode?: string
  readonly captureDeclineCode?: string
}

const CARDS: Readonly<Record<string, Card>> = {
  tok_ok: { outcome: 'approve' },
  tok_decline_insufficient_funds: { outcome: 'decline', declineCode: 'insufficient_funds' },
  tok_decline_lost_card: { outcome: 'decline', declineCode: 'lost_card' },
  tok_3ds: { outcome: 'verify' },
  tok_capture_declined: { outcome: 'approve', captureDeclineCode: 'authorization_revoked' },
}

interface Phone {
  readonly settleAs: 'approve' | 'decline'
  /** Null: only the payer. */
  readonly afterSeconds: number | null
}

const PHONES: Readonly<Record<string, Phone>> = {
  phone_ok: { settleAs: 'approve', afterSeconds: 3 },
  phone_slow: { settleAs: 'approve', afterSeconds: 60 },
  phone_decline: { settleAs: 'decline', afterSeconds: 3 },
  phone_silent: { settleAs: 'approve', afterSeconds: null },
}

const NUMBERS: Readonly<Record<string, string>> = {
  '+93700000001': 'phone_decline',
  '+93700000002': 'phone_slow',
  '+93700000003': 'phone_silent',
}

const AMOUNTS: Readonly<Record<number, string>> = {
  40_002: 'insufficient_funds',
  40_005: 'do_not_honor',
}

export function cardOf(token: string): Card | undefined {
  return Object.hasOwn(CARDS, token) ? CARDS[token] : undefined
}

export function phoneOf(ref: string): Phone | undefined {
  return Object.hasOwn(PHONES, ref) ? PHONES[ref] : undefined
}

export function phoneRefOf(phone: string): string {
  return NUMBERS[phone] ?? 'phone_ok'
}

/** Declined for any card or phone. */
export function amountDecline(amountMinor: number): string | undefined {
  return AMOUNTS[amountMinor]
}
