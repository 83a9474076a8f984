import { CPU_METRICS } from '../../harness/cpu-per-piece.ts'
import type { Goal, Part, Role, Row, Variant } from '../../harness/row.ts'
import type { Step } from './booking-guest.ts'
import {
  type BookedServer,
  type BookingScene,
  bookingScene,
  measureLoad,
  once,
  startPeer,
  startUs,
} from './booking-variants.ts'
import { startTripCounter, type TripCounter } from './count-trips.ts'

const WITH = 'with its key'
const WITHOUT = 'the same route without a key'
const FASTIFY = 'Fastify + pg, one transaction per step, no guards'
const NEST = 'NestJS + TypeORM + axios'

const METRICS = [
  ...CPU_METRICS,
  { key: 'postgres', label: 'Postgres round trips', digits: 0, optional: true },
  { key: 'redis', label: 'Redis commands', digits: 0, optional: true },
  { key: 'perSecond', label: 'req/s', digits: 0 },
  { key: 'p50Ms', label: 'p50 ms', digits: 1 },
  { key: 'p99Ms', label: 'p99 ms', digits: 1 },
]

/** Of the whole request; a hold has one call, so its statements are claim and completion. */
const TRIPS_MAX: Readonly<Record<string, number>> = { hold: 2, pay: 4, confirm: 4 }

const IN_FLIGHT = 8

interface Instance {
  readonly name: string
  readonly role: Role
  readonly start: () => Promise<BookedServer>
  /** Absent where round trips are not counted. */
  readonly counter?: () => Promise<TripCounter>
}

/**
 * Each step that calls upstreams, next to the same without idempotency (no claim, no stored
 * response) and to the alternatives of row K, which have none.
 */
export const rowI: Row = {
  id: 'I',
  title: 'Hold, payment and confirm with their idempotency keys, durable Postgres',
  async parts(world) {
    const scene = await bookingScene(world)
    const instance = (name: string, role: Role, keyed: boolean): Instance => {
      const counter = once(() => startTripCounter(scene, { keyed }))
      // The proxies cost time, but nothing is compared in the short form.
      const counted = async () => (await counter()).booked
      const start = world.short ? counted : once(() => startUs(scene, { keyed }))
      return { name, role, start, counter }
    }
    const peer = (name: string, file: string): Instance => ({
      name,
      role: 'peer',
      start: once(() => startPeer(scene, file)),
    })
    const instances = [
      instance(WITHOUT, 'floor', false),
      instance(WITH, 'us', true),
      peer(FASTIFY, 'fastify-booking.mjs'),
      peer(NEST, 'nest-booking.mjs'),
    ]
    const steps: readonly Step[] = ['hold', 'pay', 'confirm']
    return steps.map((step) => stepPart(scene, instances, step))
  },
}

function stepPart(scene: BookingScene, instances: readonly Instance[], step: Step): Part {
  const { world } = scene
  return {
    title: step === 'pay' ? 'payment' : step,
    metrics: METRICS,
    variants: instances.map((instance) => stepVariant(scene, instance, step)),
    rounds: world.pick(3, 1),
    compare: 'cpuUs',
    goals: goalsOf(step),
    facts: [
      {
        text: `at most ${TRIPS_MAX[step]} round trips to Postgres`,
        holds: (samples) => (samples.get(WITH)?.[0]?.['postgres'] ?? 99) <= (TRIPS_MAX[step] ?? 0),
      },
      {
        text: 'a key takes at most two more round trips',
        holds: (samples) => {
          const [plain, keyed] = [samples.get(WITHOUT)?.[0], samples.get(WITH)?.[0]]
          return (keyed?.['postgres'] ?? 99) <= (plain?.['postgres'] ?? 0) + 2
        },
      },
    ],
  }
}

function goalsOf(step: Step): Goal[] {
  const what = step === 'pay' ? 'a payment' : `a ${step}`
  return [
    {
      text: `CPU of the key of ${what}`,
      metric: 'cpuUs',
      variant: WITH,
      against: WITHOUT,
      atMost: 1.4,
    },
    {
      text: `Postgres round trips of ${what}`,
      metric: 'postgres',
      variant: WITH,
      atMost: TRIPS_MAX[step] ?? 2,
      exact: true,
    },
  ]
}

function stepVariant({ world }: BookingScene, instance: Instance, step: Step): Variant {
  const inFlight = world.pick(IN_FLIGHT, 2)
  const input = { step, count: world.pick(250, 4), inFlight, method: 'cash_on_arrival' }
  return {
    name: instance.name,
    role: instance.role,
    async setup() {
      const booked = await instance.start()
      const counter = await instance.counter?.()
      const trips = counter === undefined ? {} : await counter.count(step)
      const warm = { ...input, count: world.pick(250, 1) }
      await booked.load.run('prepare', warm)
      await booked.load.run('takePrepared', warm)
      return {
        async measure() {
          await booked.load.run('prepare', input)
          return { ...(await measureLoad(world, booked, 'takePrepared', input)), ...trips }
        },
        [Symbol.asyncDispose]: async () => undefined,
      }
    },
  }
}
