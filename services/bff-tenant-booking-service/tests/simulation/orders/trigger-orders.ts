import { seededDecisions } from '../decisions.ts'
import { type Directed, type DirectedOptions, openPaid } from './paid-booking.ts'

const TRIGGERS = ['return', 'webhook', 'confirm', 'poll'] as const
type Trigger = (typeof TRIGGERS)[number]
export type Order = readonly Trigger[]

/** All orders in which each trigger occurs once or twice: 6,384. */
export function allOrders(): Order[] {
  const multisets = TRIGGERS.reduce<Trigger[][]>(
    (sets, trigger) =>
      sets.flatMap((set) => [
        [...set, trigger],
        [...set, trigger, trigger],
      ]),
    [[]],
  )
  return multisets.flatMap(ordersOf)
}

function ordersOf(left: readonly Trigger[]): Trigger[][] {
  if (left.length === 0) return [[]]
  return [...new Set(left)].flatMap((first) => {
    const at = left.indexOf(first)
    return ordersOf(left.toSpliced(at, 1)).map((rest) => [first, ...rest])
  })
}

/** The steps before and after each of which PAY-03 crashes. */
export const STEPS = [
  'receive webhook',
  'request',
  'claim',
  'payment.getIntent',
  'decide',
  'reservation.confirm',
  'checkpoint',
  'payment.captureIntent',
  'finish',
] as const

export interface OrderResult {
  readonly directed: Directed
  /** Calls that arrived, replays included. */
  readonly confirmCalls: number
}

/**
 * Starts the triggers in this order; the seed decides how much of each runs before the next starts,
 * and how their tasks mix. Then everything due is done.
 */
export async function runOrder(
  order: Order,
  seed: number,
  options: Omit<DirectedOptions, 'decisions'>,
): Promise<OrderResult> {
  const decisions = seededDecisions(seed)
  const directed = await openPaid({ ...options, decisions })
  const { simulation } = directed
  const [webhook] = directed.webhooks()
  if (webhook === undefined) throw new TypeError('no webhook was sent')
  for (const trigger of order) {
    if (trigger === 'webhook') simulation.receive(webhook)
    else if (trigger === 'poll') simulation.poll()
    else directed.guest.settle(trigger)
    await directed.run(decisions.choose(3) * 4)
  }
  await simulation.drain()
  const confirmCalls = simulation.upstream.audit.entries.filter(
    (entry) => entry.kind === 'call' && entry.operation === 'reservation.confirm',
  ).length
  return { directed, confirmCalls }
}

/** Crashes once, at the first task of this name. */
export function crashOnce(label: string, when: 'before' | 'after') {
  let isDone = false
  return (task: string): 'none' | 'before' | 'after' => {
    if (isDone || task !== label) return 'none'
    isDone = true
    return when
  }
}
