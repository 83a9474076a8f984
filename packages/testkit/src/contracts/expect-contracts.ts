import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { dumpSchema } from '@melmastoon/chassis/schema'
import { expect } from 'vitest'
import { testDatabase } from '../test-database.ts'
import { clientStamp } from './client-stamp.ts'
import { committedVersion } from './committed-version.ts'
import { findBreakingApi, findBreakingEvents } from './find-breaking.ts'
import {
  CLIENT_FILE,
  EVENTS_FILE,
  infoOf,
  OPENAPI_FILE,
  renderDocuments,
  SCHEMA_FILE,
} from './render-documents.ts'
import type { ServiceContracts } from './service-contracts.ts'

/** The committed files say what the code says: API, events, schema and the client's types. */
export async function expectContractsUnchanged(
  contracts: ServiceContracts,
  folder: URL,
): Promise<void> {
  const documents = await renderDocuments(contracts)
  const rendered = { ...documents, [SCHEMA_FILE]: await renderSchema(contracts) }
  for (const [file, text] of Object.entries(rendered)) {
    expect(await readContract(folder, file), advice(file)).toBe(text)
  }
  const [stamp] = (await readContract(folder, CLIENT_FILE)).split('\n', 1)
  expect(stamp, advice(CLIENT_FILE)).toBe(clientStamp(documents[OPENAPI_FILE]))
}

/**
 * Nothing a client or a reader of events relies on is gone since the last committed version.
 * Returns what could not be compared, and why, for the test to say so.
 */
export async function expectNothingBroken(
  contracts: ServiceContracts,
  folder: URL,
): Promise<string[]> {
  const documents = await renderDocuments(contracts)
  const pathOf = (file: string) => fileURLToPath(new URL(file, folder))
  const [openApi, events] = [documents[OPENAPI_FILE], documents[EVENTS_FILE]]
  const oldApi = await committedVersion(pathOf(OPENAPI_FILE), openApi)
  const oldEvents = await committedVersion(pathOf(EVENTS_FILE), events)
  const version = infoOf(openApi).version
  const versions = {
    before: 'text' in oldApi ? infoOf(oldApi.text).version : version,
    after: version,
  }
  if ('text' in oldApi) {
    expect(findBreakingApi({ before: oldApi.text, after: openApi }), BREAKS).toEqual([])
  }
  if ('text' in oldEvents) {
    const change = { before: oldEvents.text, after: events }
    expect(findBreakingEvents(change, versions), BREAKS).toEqual([])
  }
  return [
    ...('missing' in oldApi ? [`${OPENAPI_FILE}: ${oldApi.missing}`] : []),
    ...('missing' in oldEvents ? [`${EVENTS_FILE}: ${oldEvents.missing}`] : []),
  ]
}

const BREAKS = 'breaks those who rely on it; only a new major version may'
const advice = (file: string) => `${file} is out of date: run npm run contracts and commit it`

async function renderSchema(contracts: ServiceContracts): Promise<string> {
  const { schema } = contracts
  await using database = await testDatabase({ schema, migrations: await contracts.migrations() })
  return dumpSchema(database.adminUrl, schema)
}

async function readContract(folder: URL, file: string): Promise<string> {
  return readFile(new URL(file, folder), 'utf8').catch(() => '')
}
