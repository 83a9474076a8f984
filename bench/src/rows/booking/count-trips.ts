import { LOAD_CORE } from '../../harness/cores.ts'
import { median } from '../../harness/statistics.ts'
import { startWorker, type Worker } from '../../harness/worker.ts'
import type { Step } from './booking-guest.ts'
import { type BookedServer, type BookingScene, startUs } from './booking-variants.ts'
import type { ServerUrls, Trips } from './counting-proxies.ts'

export interface TripCounter {
  readonly booked: BookedServer
  /** Of one step, up to its response. */
  count(step: Step): Promise<Trips>
}

const TIMES = 7

/** An instance whose connections are counted; its jobs use connections of their own. */
export async function startTripCounter(
  scene: BookingScene,
  { keyed }: { readonly keyed: boolean },
): Promise<TripCounter> {
  const entry = new URL('./counting-proxies.ts', import.meta.url)
  const proxies = startWorker(entry, { core: LOAD_CORE })
  const booked = await startUs(scene, {
    keyed,
    env: async (env) => ({ ...env, ...((await proxies.run('start', env)) as ServerUrls) }),
  })
  return { booked, count: (step) => countStep(booked, proxies, step) }
}

/** The median, because telemetry is written in between. */
async function countStep({ load }: BookedServer, proxies: Worker, step: Step): Promise<Trips> {
  const counts: Trips[] = []
  const input = { step, count: 1, inFlight: 1, method: 'cash_on_arrival' }
  for (let time = 0; time < TIMES; time += 1) {
    await load.run('prepare', input)
    await proxies.run('reset')
    await load.run('takePrepared', input)
    counts.push((await proxies.run('read')) as Trips)
  }
  return {
    postgres: median(counts.map((each) => each.postgres)),
    redis: median(counts.map((each) => each.redis)),
  }
}
