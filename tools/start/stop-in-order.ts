import type { ServiceProcess } from './service-process.ts'
import type { ServiceSpec } from './service-spec.ts'

export interface StopOptions {
  services: readonly ServiceSpec[]
  running: ReadonlyMap<string, ServiceProcess>
  withinMs: number
}

const LEAST_GRACE_MS = 250

/** A service stops only after those that depend on it; all share one time limit. */
export async function stopInOrder({ services, running, withinMs }: StopOptions): Promise<void> {
  const endsAt = performance.now() + withinMs
  const stopping = new Map<string, Promise<void>>()
  const stop = (spec: ServiceSpec): Promise<void> => {
    const begun = stopping.get(spec.name)
    if (begun !== undefined) return begun
    const dependents = services.filter((other) => other.after.includes(spec.name))
    const ending = Promise.all(dependents.map(stop)).then(() => {
      const graceMs = Math.max(LEAST_GRACE_MS, endsAt - performance.now())
      return running.get(spec.name)?.stop(graceMs)
    })
    stopping.set(spec.name, ending)
    return ending
  }
  await Promise.all(services.map(stop))
}
