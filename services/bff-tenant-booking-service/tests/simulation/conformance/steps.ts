import fc from 'fast-check'

type Of<K extends string, T = unknown> = K extends string ? { readonly kind: K } & T : never
type Which = { readonly which: number }
type Keyed = { readonly key: number }

export type StayStep =
  | Of<'hold', Keyed & { quote: number; draft: number; digest: Digest; inSession: boolean }>
  | Of<'extend' | 'cancel', Which & Keyed>
  | Of<'reprice', Which & Keyed & { quote: number; digest: Digest }>
  | Of<'confirm', Which & Keyed & { digest: Digest; intent: number }>
  | Of<'get', Which>
  | Of<'reservation_by_key', Keyed>

export type PaymentStep =
  | Of<
      'create_intent',
      Keyed & {
        method: 'card' | 'cash_on_arrival' | 'mobile_money'
        captureMode: 'automatic' | 'manual'
        source: string | null
        amountMicro: string
      }
    >
  | Of<'capture' | 'refund', Which & Keyed & { amountMicro: string | null }>
  | Of<'cancel_intent' | 'receive_cash', Which & Keyed>
  | Of<'get_intent' | 'list_refunds', Which>
  | Of<'intent_by_key', Keyed>
  | Of<'tokenize_phone', Keyed & { phone: string }>
  | Of<'list_methods'>

/** What a caller cannot do: payers, time and operators. */
type OperatorStep =
  | Of<'expire_hold' | 'expire_intent' | 'settle_due', Which>
  | Of<'sweep'>
  | Of<'suspend', { isSuspended: boolean }>
  | Of<'payer', Which & { action: 'pay' | 'decline' | 'pay_late' | 'verify'; card: string }>

/** Objects are named by their number, because the two implementations give them other ids. */
export type Step = StayStep | PaymentStep | OperatorStep

export type Digest = 'right' | 'wrong' | 'none'

/** Mostly an object that exists. */
const which = fc.constantFrom(0, 0, 0, 1, 1, 2, 3)
/** Few keys, so that many steps repeat a key, with the same or another request. */
const key = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 10, max: 999 }) }, fc.nat(3))
const quote = fc.nat(4)
const digest = fc.constantFrom<Digest>('right', 'right', 'right', 'wrong', 'none')
const wrongAmount = fc.constantFrom('400020000', '400050000', '1000000', '0', '1', '-5')
const amount = fc.oneof(fc.constant('500000000'), wrongAmount)
const half = '250000000'
const part = fc.option(fc.constantFrom('500000000', half, half, half, '600000000', '0', '1'))
const cards = ['tok_ok', 'tok_decline_lost_card', 'tok_3ds', 'tok_capture_declined'] as const
const source = fc.constantFrom(null, ...cards, 'tok_unknown', 'phone_slow', 'phone_silent')

const one = <K extends Step['kind'], T extends object>(
  kind: K,
  values: { [N in keyof T]: fc.Arbitrary<T[N]> },
) => fc.record<{ kind: K } & T>({ kind: fc.constant(kind), ...values } as never)

const STAYS = [
  one('hold', { quote, draft: fc.nat(2), digest, key, inSession: fc.boolean() }),
  one('hold', { quote: fc.nat(1), draft: fc.nat(2), digest, key, inSession: fc.boolean() }),
  one('extend', { which, key }),
  one('confirm', { which, digest: fc.constant('right'), intent: fc.nat(3), key }),
  one('cancel', { which, key }),
  one('reprice', { which, quote, digest, key }),
  one('reprice', { which, quote: fc.nat(1), digest: fc.constant('right'), key }),
  one('confirm', { which, digest, intent: fc.nat(3), key }),
  one('get', { which }),
  one('expire_hold', { which: fc.nat(1) }),
  one('reservation_by_key', { key: fc.nat(3) }),
  one('sweep', {}),
  one('suspend', { isSuspended: fc.constantFrom(true, false, false, false) }),
]

const method = fc.constantFrom('card', 'card', 'cash_on_arrival', 'mobile_money')
const captureMode = fc.constantFrom('automatic', 'manual')

const PAYMENTS = [
  one('create_intent', { method, captureMode, source, amountMicro: amount, key }),
  one('create_intent', {
    method: fc.constant('card'),
    captureMode,
    source: fc.constantFrom(null, ...cards),
    amountMicro: fc.constant('500000000'),
    key,
  }),
  one('create_intent', {
    method: fc.constantFrom('mobile_money'),
    captureMode: fc.constant('automatic'),
    source: fc.constantFrom('phone_slow', 'phone_silent', 'phone_tokenized'),
    amountMicro: amount,
    key,
  }),
  one('payer', {
    which,
    action: fc.constantFrom('pay', 'pay', 'decline', 'pay_late', 'verify'),
    card: fc.constantFrom(...cards),
  }),
  one('capture', { which, amountMicro: part, key }),
  one('capture', { which, amountMicro: fc.constant(null), key }),
  one('refund', { which, amountMicro: part, key }),
  one('refund', { which, amountMicro: fc.constant(half), key }),
  one('cancel_intent', { which, key }),
  one('receive_cash', { which, key }),
  one('get_intent', { which }),
  one('list_refunds', { which }),
  one('expire_intent', { which }),
  one('intent_by_key', { key: fc.nat(3) }),
  one('tokenize_phone', { phone: fc.constantFrom('+93700000002', '+93700000003'), key }),
  one('list_methods', {}),
  one('suspend', { isSuspended: fc.constantFrom(true, false, false, false) }),
]

const fresh = fc.integer({ min: 1_000, max: 9_999 })
const right = fc.constant('right')

const firstHold = one('hold', {
  quote: fc.nat(3),
  draft: fc.constant(0),
  digest: right,
  key: fresh,
  inSession: fc.boolean(),
})
const firstIntent = one('create_intent', {
  method: fc.constant('card'),
  captureMode,
  source: fc.constantFrom(null, 'tok_ok', 'tok_capture_declined'),
  amountMicro: fc.constant('500000000'),
  key: fresh,
})

/** Begins with steps that succeed, because most others need their result. */
const sequence = (
  first: readonly fc.Arbitrary<unknown>[],
  steps: readonly fc.Arbitrary<unknown>[],
) =>
  fc
    .tuple(
      fc.tuple(...first),
      fc.array(fc.oneof(...steps), { minLength: 4, maxLength: 20, size: 'max' }),
    )
    .map(([begin, more]) => [...begin, ...more]) as fc.Arbitrary<Step[]>

/** About stays, about payments, or about both. */
export const sequences = fc.oneof(
  sequence([firstHold], STAYS),
  sequence([firstIntent], PAYMENTS),
  sequence([firstHold, firstIntent], [...STAYS, ...PAYMENTS]),
)

/** Waits for a worker of the sandbox, and therefore only in some sequences. */
export const settledSequences = sequence([firstIntent], [...PAYMENTS, one('settle_due', { which })])
