import { NIGHT_MICRO } from '../environment/hotel.ts'
import { ACTIONS, settleAnyway } from '../histories/actions.ts'
import { type Directed, type DirectedOptions, openDirected, openPaid } from './paid-booking.ts'
import { openSoldOut, SILENT_PHONE } from './sold-out.ts'
import { crashOnce } from './trigger-orders.ts'

export type Options = Pick<DirectedOptions, 'store' | 'crashAt'>

/** A course of events that reaches rows of the tables; afterwards everything due is done. */
export interface Course {
  readonly open: (options: Options) => Promise<Directed>
  readonly act: (directed: Directed) => Promise<void>
}

export const poll = async ({ simulation, run }: Directed) => {
  simulation.poll()
  await run()
}

/** Between the read of a payment and the call that follows from it. */
export function meanwhile({ simulation }: Directed, label: string, act: () => void): void {
  simulation.network.planned.set(label, ['delayed'])
  const wait = async () => {
    const isReached = simulation.network.planned.get(label)?.length === 0
    if (isReached) act()
    else simulation.scheduler.deliver('meanwhile', wait, 1)
  }
  simulation.scheduler.deliver('meanwhile', wait, 1)
}

/** The reservation of the first guest. */
export function staffCancels({ simulation, guest }: Directed): void {
  const reservationId = guest.draft()?.reservationId
  if (reservationId === undefined) throw new TypeError('no stay')
  const call = { tenantId: simulation.hotel.tenantId, key: 'staff' }
  const input = { params: { reservationId }, body: { reasonCode: 'staff' } }
  simulation.upstream.reservations.cancel(input, call)
}

function perform({ simulation, guest }: Directed, wanted: string, detail = 0): void {
  const action = ACTIONS.find(([name]) => name === wanted)
  if (action === undefined) throw new TypeError(`no action ${wanted}`)
  action[2]({ simulation, guest, detail })
}

const HOLD_MS = 10 * 60_000
const CASH = 2

const course = (open: Course['open'], act: Course['act']): Course => ({ open, act })
const paid = (act: Course['act']) => course((options) => openPaid(options), act)
const opened = (act: Course['act']) => course((options) => openDirected(options), act)

/** A payment by phone: captured as soon as the guest agrees, after so long. */
const captured = (afterMs: number, act: Course['act']) =>
  opened(async (directed) => {
    const { simulation, guest, run, intent, pass } = directed
    guest.pay(SILENT_PHONE)
    await run()
    pass(afterMs)
    simulation.upstream.payments.pay(simulation.hotel.tenantId, intent().paymentIntentId)
    await act(directed)
  })

const changePrice = ({ simulation }: Directed, nightMicro: bigint | null) =>
  simulation.upstream.pricing.changePrice(simulation.hotel.propertyId, nightMicro)

const LATE: readonly Course[] = [
  captured(3_000, poll),
  captured(HOLD_MS, poll),
  captured(HOLD_MS, async (directed) => {
    changePrice(directed, NIGHT_MICRO * 2n)
    await poll(directed)
  }),
  course(openSoldOut, poll),
  course((options) => openSoldOut(options, 0), poll),
  captured(3_000, async (directed) => {
    const { simulation, guest } = directed
    changePrice(directed, NIGHT_MICRO * 2n)
    const quote = simulation.hotel.quote()
    const reservationId = guest.draft()?.reservationId
    if (quote === null || reservationId === undefined) throw new TypeError('nothing to reprice')
    const body = { quoteId: quote.quoteId, expectedDigest: quote.digest }
    const call = { tenantId: simulation.hotel.tenantId, key: 'reprice' }
    simulation.upstream.reservations.reprice({ params: { reservationId }, body }, call)
    await poll(directed)
  }),
  captured(3_000, async (directed) => {
    staffCancels(directed)
    await poll(directed)
  }),
  paid(async (directed) => {
    perform(directed, 'staff capture')
    await poll(directed)
  }),
  opened(async (directed) => {
    const { simulation, guest, run, intent } = directed
    guest.pay(0)
    await run()
    const first = intent()
    guest.pay(CASH)
    await run()
    guest.settle('confirm')
    await run()
    settleAnyway(simulation, first)
  }),
  paid(async (directed) => {
    perform(directed, 'authorization expires')
    directed.guest.settle('confirm')
    await directed.run()
  }),
  opened(async (directed) => {
    directed.guest.pay(SILENT_PHONE)
    await directed.run()
    directed.pass(7.6 * 60_000)
    await poll(directed)
  }),
  captured(3_000, async (directed) => {
    perform(directed, 'staff refund')
    await poll(directed)
  }),
  captured(3_000, async (directed) => {
    await poll(directed)
    perform(directed, 'staff refund')
  }),
  opened(async (directed) => {
    directed.guest.pay(CASH)
    await directed.run()
    directed.guest.settle('confirm')
    await directed.run()
  }),
  ...[NIGHT_MICRO, NIGHT_MICRO * 2n, null].map((price) =>
    opened(async (directed) => {
      directed.guest.pay(CASH)
      await directed.run()
      directed.pass(HOLD_MS)
      changePrice(directed, price)
      directed.guest.settle('confirm')
      await directed.run()
    }),
  ),
]

const sendWebhook = async ({ simulation, webhooks, run }: Directed, times = 1) => {
  const webhook = webhooks().at(-1)
  if (webhook === undefined) throw new TypeError('no webhook was sent')
  for (let count = 0; count < times; count += 1) {
    simulation.receive(webhook)
    await run()
  }
  return webhook
}

const ORDER: readonly Course[] = [
  paid(poll),
  paid(async (directed) => void (await sendWebhook(directed, 2))),
  ...(['return', 'confirm'] as const).map((trigger) =>
    paid(async ({ guest, run }) => {
      guest.settle(trigger)
      await run()
    }),
  ),
  opened(async (directed) => {
    directed.guest.pay(0)
    await directed.run()
    directed.guest.settle('return')
    await directed.run()
  }),
  opened(async (directed) => {
    const { simulation, guest, run, intent } = directed
    simulation.network.planned.set('payment.createIntent', ['response_lost'])
    guest.pay(0)
    await run(1_000)
    simulation.upstream.payments.pay(simulation.hotel.tenantId, intent().paymentIntentId)
    await sendWebhook(directed)
  }),
  paid(async (directed) => {
    const { simulation, run } = directed
    const webhook = await sendWebhook(directed)
    const unknown = { ...webhook.data.intent, draftRef: 'unknown' }
    const other = unknown.paymentIntentId.replace(/.$/, 'Z') as typeof unknown.paymentIntentId
    simulation.receive({ ...webhook, data: { intent: { ...unknown, paymentIntentId: other } } })
    await run()
  }),
  paid(async (directed) => {
    for (const slot of directed.simulation.slots) slot.offsetMs = HOLD_MS
    await sendWebhook(directed)
  }),
  paid(async ({ guest, run }) => {
    guest.settle('confirm')
    guest.settle('return')
    await run()
  }),
  paid(async (directed) => {
    directed.simulation.network.planned.set('reservation.confirm', ['request_lost'])
    await poll(directed)
    directed.guest.details(0)
    await directed.run()
  }),
  course((options) => openPaid({ ...options, crashAt: crashOnce('decide', 'after') }), poll),
  course((options) => {
    const pauseAt = (label: string, process: string) =>
      label === 'checkpoint' && process === 'a' ? 12_000 : 0
    return openPaid({ ...options, pauseAt })
  }, pausedWorker),
]

async function pausedWorker({ simulation, run }: Directed): Promise<void> {
  const [first, second] = simulation.slots
  simulation.poll(first)
  await run(10_500)
  simulation.poll(second)
  await run()
}

/** Sections 4 and 5 of the rules. */
export const COURSES_OF_TABLES: readonly Course[] = [...LATE, ...ORDER]
