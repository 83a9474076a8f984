import { badManifest } from './messages.ts'
import type { ServiceSpec } from './service-spec.ts'

/** Dependencies first, otherwise in the order of discovery. */
export function orderServices(services: readonly ServiceSpec[]): ServiceSpec[] {
  const byName = new Map<string, ServiceSpec>()
  for (const service of services) {
    if (byName.has(service.name))
      throw badManifest(service.folder, `another service is named ${service.name}.`)
    byName.set(service.name, service)
  }
  const ordered = new Set<ServiceSpec>()
  for (const service of services) place(service, { byName, ordered, path: [] })
  return [...ordered]
}

interface Placing {
  byName: ReadonlyMap<string, ServiceSpec>
  ordered: Set<ServiceSpec>
  path: readonly string[]
}

function place(service: ServiceSpec, placing: Placing): void {
  if (placing.ordered.has(service)) return
  const path = [...placing.path, service.name]
  if (placing.path.includes(service.name)) {
    throw badManifest(service.folder, `services wait for each other: ${path.join(' → ')}.`)
  }
  for (const name of service.after) {
    const earlier = placing.byName.get(name)
    if (earlier === undefined)
      throw badManifest(service.folder, `waits for ${name}, which does not exist.`)
    place(earlier, { ...placing, path })
  }
  placing.ordered.add(service)
}
