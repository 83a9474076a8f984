import { isPortFree } from '@melmastoon/one-machine'
import { portVariable } from '../bootstrap/start-help.mjs'
import { portTaken, samePort } from './messages.ts'
import type { ServiceSpec } from './service-spec.ts'
import { readPort } from './start-options.ts'

export interface ServicePorts {
  port: number
  /** For metrics and jobs; not public. */
  internalPort: number
}

type Environment = Readonly<Record<string, string | undefined>>

export function assignPorts(
  services: readonly ServiceSpec[],
  env: Environment,
): Map<string, ServicePorts> {
  const assigned = new Map<string, ServicePorts>()
  const takenBy = new Map<number, string>()
  const take = (port: number, name: string) => {
    const other = takenBy.get(port)
    if (other !== undefined) throw samePort(port, other, name)
    takenBy.set(port, name)
  }
  for (const { name, port: declared } of services) {
    const port = readPort(env, portVariable(name), declared)
    const defaultInternalPort = port > 64_535 ? port - 1000 : port + 1000
    const internalPort = readPort(env, portVariable(`${name}-internal`), defaultInternalPort)
    take(port, name)
    take(internalPort, `${name}-internal`)
    assigned.set(name, { port, internalPort })
  }
  return assigned
}

export async function assertPortsFree(ports: ReadonlyMap<string, ServicePorts>): Promise<void> {
  for (const [name, { port, internalPort }] of ports) {
    if (!(await isPortFree(port))) throw portTaken(name, port, portVariable(name))
    const inner = `${name}-internal`
    if (!(await isPortFree(internalPort))) throw portTaken(inner, internalPort, portVariable(inner))
  }
}
