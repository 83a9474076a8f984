import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ServiceContracts } from '@melmastoon/chassis/service'
import { expect } from 'vitest'
import { dumpSchema } from '../schema/dump-schema.ts'
import { testDatabase } from '../test-database.ts'
import { findBaselines } from './find-baselines.ts'
import { findBreakingApi, findBreakingEvents } from './find-breaking.ts'
import {
  CLIENT_FILE,
  clientStamp,
  EVENTS_FILE,
  infoOf,
  OPENAPI_FILE,
  renderDocuments,
  SCHEMA_FILE,
} from './render-documents.ts'

/** The committed files match the code: API, events, schema and the client's types. */
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
 * Expects no breaking change for clients and consumers of events since the last released version.
 * Returns what could not be compared, with the reason, so that the test can report it: without git
 * history there is no older version.
 */
export async function expectNothingBroken(
  contracts: ServiceContracts,
  folder: URL,
): Promise<string[]> {
  const documents = await renderDocuments(contracts)
  const [openApi, events] = [documents[OPENAPI_FILE], documents[EVENTS_FILE]]
  const { version } = infoOf(openApi)
  const found = await findBaselines(fileURLToPath(folder), version)
  if (found.kind === 'missing') return [`${OPENAPI_FILE}: ${found.reason}`]
  for (const before of found.baselines) {
    expectNone(findBreakingApi({ before: before.openApi, after: openApi }))
    const versions = { before: infoOf(before.openApi).version, after: version }
    const change = { before: before.events ?? '{}', after: events }
    expectNone(findBreakingEvents(change, versions))
  }
  return []
}

/** In the message, because an assertion on the list would show only its beginning. */
function expectNone(breaking: readonly string[]): void {
  const message = `only a new major version may contain breaking changes:\n${breaking.join('\n')}\n`
  expect(breaking.length, message).toBe(0)
}

const advice = (file: string) => `${file} is out of date: run npm run contracts and commit it`

async function renderSchema(contracts: ServiceContracts): Promise<string> {
  const { schema } = contracts
  await using database = await testDatabase({ schema, migrations: await contracts.migrations() })
  return await dumpSchema(database.adminUrl, schema)
}

async function readContract(folder: URL, file: string): Promise<string> {
  return readFile(new URL(file, folder), 'utf8').catch(() => '')
}
