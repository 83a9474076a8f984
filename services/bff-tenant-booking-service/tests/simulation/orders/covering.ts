import type { SimulationStore } from '../environment/simulation-store.ts'
import { Guest } from '../histories/guest.ts'
import type { Fault } from '../lossy-clients.ts'
import {
  COURSES_OF_TABLES,
  type Course,
  meanwhile,
  type Options,
  poll,
  staffCancels,
} from './courses.ts'
import { type Directed, openDirected } from './paid-booking.ts'
import { openSoldOut, SILENT_PHONE } from './sold-out.ts'
import { crashOnce } from './trigger-orders.ts'

const payAndPoll = async ({ guest, simulation, run, intent, pass }: Directed) => {
  guest.pay(0)
  await run(2_500)
  pass(3_000)
  simulation.poll()
  await run()
  const { payments } = simulation.upstream
  payments.pay(simulation.hotel.tenantId, intent().paymentIntentId)
  pass(30_000)
  simulation.poll()
  await run()
}

const giveUp = async ({ guest, run }: Directed) => {
  guest.pay(0)
  await run()
  guest.settle('delete')
  await run()
}

const COURSES: Readonly<Record<string, Course>> = {
  'reservation.hold': {
    open: openDirected,
    act: async ({ guest, run }) => {
      guest.holdAgain()
      await run()
    },
  },
  'reservation.extend': {
    open: openDirected,
    act: async ({ guest, run }) => {
      guest.settle('extend')
      await run()
    },
  },
  'payment.createIntent': { open: openDirected, act: payAndPoll },
  'payment.getIntent': { open: openDirected, act: payAndPoll },
  'reservation.confirm': { open: openDirected, act: payAndPoll },
  'payment.captureIntent': { open: openDirected, act: payAndPoll },
  'reservation.cancel': { open: openSoldOut, act: poll },
  'payment.createRefund': { open: openSoldOut, act: poll },
  'payment.cancelIntent': { open: openDirected, act: giveUp },
}

const FAULTS: readonly Fault[] = ['request_lost', 'response_lost']

/** Every call with every fault and crash. @returns what happened. */
export async function coverCalls(store: SimulationStore): Promise<Set<string>> {
  const happened = new Set<string>()
  const cover = async (course: Course, options: Options, plan: (directed: Directed) => void) => {
    const directed = await course.open(options)
    plan(directed)
    await course.act(directed)
    await directed.simulation.drain()
    const { simulation } = directed
    for (const event of simulation.happened.keys()) happened.add(event)
    for (const event of simulation.network.occurred.keys()) happened.add(event)
  }
  for (const [label, course] of Object.entries(COURSES)) {
    for (const fault of FAULTS) {
      await cover(course, { store }, ({ simulation }) => {
        simulation.network.planned.set(label, [fault])
      })
    }
    for (const when of ['before', 'after'] as const) {
      await cover(course, { store, crashAt: crashOnce(label, when) }, () => undefined)
    }
  }
  for (const when of ['before', 'after'] as const) {
    const crashAt = crashOnce('finish', when)
    await cover({ open: openDirected, act: payAndPoll }, { store, crashAt }, () => undefined)
  }
  for (const course of [...REJECTIONS, ...COURSES_OF_TABLES]) {
    await cover(course, { store }, () => undefined)
  }
  return happened
}

const REJECTIONS: readonly Course[] = [
  {
    open: openSoldOut,
    act: async (directed) => {
      meanwhile(directed, 'reservation.cancel', () => staffCancels(directed))
      await poll(directed)
    },
  },
  {
    open: openDirected,
    act: async ({ simulation, run }) => {
      new Guest(simulation).hold()
      await run()
    },
  },
  {
    open: openDirected,
    act: async (directed) => {
      staffCancels(directed)
      directed.guest.settle('extend')
      await directed.run()
    },
  },
  {
    open: openDirected,
    act: async (directed) => {
      const { simulation, guest, run } = directed
      meanwhile(directed, 'payment.createIntent', () => simulation.suspend(true))
      guest.pay(0)
      await run()
      simulation.suspend(false)
    },
  },
  {
    open: openDirected,
    act: async ({ simulation, guest, run, intent }) => {
      guest.pay(0)
      await run()
      const { paymentIntentId } = intent()
      const { tenantId } = simulation.hotel
      simulation.upstream.payments.pay(tenantId, paymentIntentId, 'tok_capture_declined')
      guest.settle('return')
      await run()
    },
  },
  {
    open: openDirected,
    act: async (directed) => {
      const { simulation, guest, run, intent } = directed
      guest.pay(SILENT_PHONE)
      await run()
      meanwhile(directed, 'payment.cancelIntent', () => {
        const { paymentIntentId } = intent()
        simulation.upstream.payments.pay(simulation.hotel.tenantId, paymentIntentId)
      })
      guest.settle('delete')
      await run()
    },
  },
  {
    open: openSoldOut,
    act: async (directed) => {
      const { simulation, intent } = directed
      meanwhile(directed, 'payment.createRefund', () => {
        const { paymentIntentId, capturedMicro, currency } = intent()
        const amount = { amountMicro: String(capturedMicro / 2n), currency }
        const input = { params: { paymentIntentId }, body: { amount, reasonCode: 'staff' } }
        const { tenantId } = simulation.hotel
        simulation.upstream.payments.refund(input, { tenantId }, 'staff')
      })
      await poll(directed)
    },
  },
]
