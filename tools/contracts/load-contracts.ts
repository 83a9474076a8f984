import { pathToFileURL } from 'node:url'
import type { ServiceContracts } from '@melmastoon/testkit/contracts'
import { StartError } from '../start/start-error.ts'

const MEMBERS = ['schema', 'migrations', 'registry', 'openApi']

/** The `contracts` of a service's module; its own test holds them against the type. */
export async function loadContracts(path: string): Promise<ServiceContracts> {
  const module = (await import(pathToFileURL(path).href)) as { contracts?: unknown }
  const contracts = module.contracts
  if (typeof contracts !== 'object' || contracts === null) {
    throw new StartError(`${path} does not export contracts.`)
  }
  const absent = MEMBERS.filter((name) => !(name in contracts))
  if (absent.length > 0) {
    throw new StartError(`The contracts of ${path} lack ${absent.join(', ')}.`)
  }
  return contracts as ServiceContracts
}
