import { CPU_METRICS } from '../../harness/cpu-per-piece.ts'
import type { Fact, Part, Role, Row, Sample, Variant } from '../../harness/row.ts'
import type { Method } from './booking-guest.ts'
import {
  type BookedServer,
  type BookingScene,
  bookingScene,
  GUESTS,
  measureLoad,
  once,
  startPeer,
  startUs,
} from './booking-variants.ts'

const PLAIN = 'Fastify + pg, one transaction per step, no guards'
const US = 'bff-tenant-booking-service'
const NEST = 'NestJS + TypeORM + axios'

const METRICS = [
  ...CPU_METRICS,
  { key: 'perSecond', label: 'bookings/s', digits: 0 },
  { key: 'perCore', label: 'bookings/s/core', digits: 0 },
  { key: 'p50Ms', label: 'p50 ms', digits: 1 },
  { key: 'p99Ms', label: 'p99 ms', digits: 1 },
  { key: 'holdP95Ms', label: 'p95 of a hold, ms', digits: 1 },
  { key: 'mib', label: 'RSS MiB', digits: 0 },
]

const CONTENTION_METRICS = [
  { key: 'won', label: 'won', digits: 0 },
  { key: 'soldOut', label: 'sold out', digits: 0 },
  { key: 'p50Ms', label: 'p50 ms', digits: 1 },
  { key: 'p95Ms', label: 'p95 ms', digits: 1 },
  { key: 'p99Ms', label: 'p99 ms', digits: 1 },
]

const IN_FLIGHT = 8

/**
 * Quote, hold, guest details, payment and confirm over HTTP with every commit flushed. Upstreams
 * are a stub of the contracts in memory: the same calls for all alternatives, and none of their
 * CPU is counted.
 */
export const rowK: Row = {
  id: 'K',
  title: 'A booking: quote, hold, details, payment, confirm; durable Postgres',
  async parts(world) {
    const scene = await bookingScene(world)
    const servers: readonly Server[] = [
      [PLAIN, 'floor', once(() => startPeer(scene, 'fastify-booking.mjs'))],
      [US, 'us', once(() => startUs(scene))],
      [NEST, 'peer', once(() => startPeer(scene, 'nest-booking.mjs'))],
    ]
    return [
      bookingPart(scene, servers, 'cash_on_arrival'),
      bookingPart(scene, servers, 'card'),
      contentionPart(scene, servers),
    ]
  },
}

type Server = readonly [name: string, role: Role, start: () => Promise<BookedServer>]

function bookingPart({ world }: BookingScene, servers: readonly Server[], method: Method): Part {
  const warm = { count: world.pick(300, 1), inFlight: IN_FLIGHT, method }
  const input = { count: world.pick(300, 4), inFlight: world.pick(IN_FLIGHT, 2), method }
  return {
    title: method === 'card' ? 'booking by card' : 'booking with cash on arrival',
    metrics: METRICS,
    variants: servers.map(([name, role, start]) =>
      variantOf(name, role, async () => {
        const booked = await start()
        await booked.load.run('book', warm)
        return () => measureLoad(world, booked, 'book', input)
      }),
    ),
    rounds: world.pick(3, 1),
    compare: 'cpuUs',
  }
}

const ONE_WINNER: Fact = {
  text: 'one guest has the room, all others a clear rejection',
  holds: (samples) =>
    [...samples.values()].flat().every(({ won, soldOut, guests }) => {
      return won === 1 && soldOut === (guests ?? 0) - 1
    }),
}

/** HOLD-01: many guests, one room. */
function contentionPart({ world }: BookingScene, servers: readonly Server[]): Part {
  const guests = world.pick(GUESTS, 8)
  let day = 0
  return {
    title: `${guests} guests hold the last room at once`,
    metrics: CONTENTION_METRICS,
    variants: servers.map(([name, role, start]) =>
      variantOf(name, role, async () => {
        const { load } = await start()
        return async () => {
          day += 1
          const sample = (await load.run('contend', { guests, day })) as Sample
          return { ...sample, guests }
        }
      }),
    ),
    rounds: world.pick(5, 1),
    compare: 'p95Ms',
    facts: [ONE_WINNER],
  }
}

/** Servers run until the end of the row. */
function variantOf(name: string, role: Role, start: () => Promise<() => Promise<Sample>>): Variant {
  return {
    name,
    role,
    setup: async () => ({ measure: await start(), [Symbol.asyncDispose]: async () => undefined }),
  }
}
