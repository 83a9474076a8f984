import type { ServiceContracts } from '@melmastoon/chassis/service'
import { type EventRegistry, snapshotRegistry, toAsyncApi } from '@melmastoon/events'

export const OPENAPI_FILE = 'openapi.json'
export const ASYNCAPI_FILE = 'asyncapi.json'
export const EVENTS_FILE = 'events.json'
export const SCHEMA_FILE = 'schema.txt'
export const CLIENT_FILE = 'openapi.d.ts'

export type ContractDocuments = Readonly<
  Record<typeof OPENAPI_FILE | typeof ASYNCAPI_FILE | typeof EVENTS_FILE, string>
>

/** The documents that need no database: the same bytes for the same code. */
export async function renderDocuments(contracts: ServiceContracts): Promise<ContractDocuments> {
  const openApi = await contracts.openApi()
  const registry = contracts.registry as EventRegistry
  return {
    [OPENAPI_FILE]: openApi,
    [ASYNCAPI_FILE]: asText(toAsyncApi(registry, infoOf(openApi))),
    [EVENTS_FILE]: asText(snapshotRegistry(registry)),
  }
}

/** One service has one version, whichever way it is called. */
export function infoOf(openApi: string): { title: string; version: string } {
  const { info } = JSON.parse(openApi) as { info: { title: string; version: string } }
  return { title: info.title, version: info.version }
}

const asText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
