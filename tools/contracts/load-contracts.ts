import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import {
  type ServiceContracts,
  type ServiceDefinition,
  serviceContracts,
} from '@melmastoon/chassis/service'
import { StartError } from '../start/messages.ts'

const MEMBERS = ['config', 'migrations', 'registry', 'createContext', 'routes']

/** Of the `service` that the module exports; compiling the service checked its type. */
export async function loadContracts(path: string): Promise<ServiceContracts> {
  if (!existsSync(path)) throw new StartError(`${path} does not exist: it must define the service.`)
  const module = (await import(pathToFileURL(path).href)) as { service?: unknown }
  const { service } = module
  if (typeof service !== 'object' || service === null) {
    throw new StartError(`${path} does not export service.`)
  }
  const missing = MEMBERS.filter((name) => !(name in service))
  if (missing.length > 0) {
    throw new StartError(`The service of ${path} lacks ${missing.join(', ')}.`)
  }
  return serviceContracts(service as ServiceDefinition)
}
