import { LOAD_CORE } from '../../harness/cores.ts'
import { countCpu } from '../../harness/cpu-per-piece.ts'
import type { WorkDone } from '../../harness/measure-work.ts'
import { type PageServer, startPageServer } from '../../harness/page-server.ts'
import { peerProgram } from '../../harness/peers.ts'
import { residentMib } from '../../harness/process-stat.ts'
import type { BenchWorld, Sample } from '../../harness/row.ts'
import { startWorker, type Worker } from '../../harness/worker.ts'
import { type SearchEnvironment, startSearchEnvironment } from '../search/search-environment.ts'
import {
  type BookedHotel,
  type BookingSettings,
  findHotel,
  openBookingSessions,
  SITE,
  startBooking,
  startStub,
  type Upstreams,
} from './booking-environment.ts'

/** As many as hold the last room at once. */
export const GUESTS = 200
const SHORT_GUESTS = 8

export interface BookingScene {
  readonly world: BenchWorld
  readonly environment: SearchEnvironment
  readonly upstreams: Upstreams
  readonly hotel: BookedHotel
}

export async function bookingScene(world: BenchWorld): Promise<BookingScene> {
  const environment = await startSearchEnvironment(world, { isSmall: true })
  const [upstreams, hotel] = await Promise.all([startStub(environment), findHotel(environment)])
  return { world, environment, upstreams, hotel }
}

/** A server that takes bookings, and the load for it. */
export interface BookedServer {
  readonly server: PageServer
  readonly load: Worker
}

export async function startUs(
  { world, upstreams, hotel }: BookingScene,
  settings: BookingSettings = {},
): Promise<BookedServer> {
  const server = await startBooking(world, upstreams, settings)
  const cookies = await openBookingSessions(server.url, world.pick(GUESTS, SHORT_GUESTS))
  return { server, load: await startLoad({ server, base: SITE, hotel, cookies }) }
}

export async function startPeer(scene: BookingScene, file: string): Promise<BookedServer> {
  const { world, upstreams, hotel } = scene
  const given = { upstreams, tenantId: hotel.tenantId, databaseUrl: await world.emptyDatabase() }
  const server = await startPageServer(world, peerProgram(file), given)
  const cookies = Array.from({ length: GUESTS }, (_, guest) => `guest=${guest}`)
  return { server, load: await startLoad({ server, base: '', hotel, cookies }) }
}

interface Load {
  readonly server: PageServer
  readonly base: string
  readonly hotel: BookedHotel
  readonly cookies: readonly string[]
}

async function startLoad({ server, ...connect }: Load): Promise<Worker> {
  const load = startWorker(new URL('./booking-load.ts', import.meta.url), { core: LOAD_CORE })
  await load.run('connect', { url: server.url, ...connect })
  return load
}

/** CPU of the process and of its servers while the load runs a command, each per piece. */
export async function measureLoad(
  world: BenchWorld,
  { server, load }: BookedServer,
  ...[command, input]: [command: string, input: { readonly count: number }]
): Promise<Sample> {
  const cpuPer = countCpu(world, server.pid)
  const done = (await load.run(command, input)) as WorkDone & { readonly holdP95Ms?: number }
  return {
    ...cpuPer(input.count),
    perSecond: (input.count / done.wallMs) * 1000,
    p50Ms: done.p50Ms,
    p99Ms: done.p99Ms,
    mib: residentMib(server.pid),
    ...(done.holdP95Ms !== undefined && { holdP95Ms: done.holdP95Ms }),
  }
}

/** Several parts use one server, which ends with its row. */
export function once<T>(start: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined
  return () => {
    started ??= start()
    return started
  }
}
