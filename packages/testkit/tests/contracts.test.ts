import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createRegistry } from '@melmastoon/events'
import {
  expectContractsUnchanged,
  expectNothingBroken,
  expectValidEvents,
  testContracts,
  testDatabase,
} from '@melmastoon/testkit'
import { EXAMPLE_EVENTS } from '@melmastoon/testkit/example-events'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { service } from '../src/example-service/service.ts'
import { contracts } from './example-service/start-example.ts'

const run = promisify(execFile)

testContracts({
  service,
  contracts,
  module: new URL('../src/example-service/service.ts', import.meta.url),
  committed: new URL('../contracts/', import.meta.url),
})

describe('the contract check', () => {
  let folder: string
  let place: URL
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mel-contracts-'))
    place = pathToFileURL(`${folder}/`)
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], {
      cwd: folder,
    })

  async function commit(files: Record<string, string>): Promise<void> {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    await git('add', '.')
    await git('commit', '--quiet', '--message', 'Change')
  }

  async function startHistory(events = '{}'): Promise<void> {
    await git('init', '--quiet')
    await commit({ 'openapi.json': await contracts.openApi(), 'events.json': events })
  }

  async function without(path: string, version?: string): Promise<string> {
    const document = JSON.parse(await contracts.openApi()) as Document
    document.info.version = version ?? document.info.version
    delete document.paths[path]
    return JSON.stringify(document)
  }

  it('rejects a broken API before and after its commit', async () => {
    await startHistory()
    const text = await without('/example/v1/page')
    const broken = { ...contracts, openApi: async () => text }
    await expect(expectNothingBroken(contracts, place)).resolves.toEqual([])
    await expect(expectNothingBroken(broken, place)).rejects.toThrow('path removed')
    await commit({ 'openapi.json': text })
    await expect(expectNothingBroken(broken, place)).rejects.toThrow('path removed')
  })

  it('rejects a broken API also after further commits', async () => {
    await startHistory()
    const text = await without('/example/v1/page')
    await commit({ 'openapi.json': text })
    await commit({ 'openapi.json': `${text}\n` })
    const broken = { ...contracts, openApi: async () => `${text}\n` }
    await expect(expectNothingBroken(broken, place)).rejects.toThrow('path removed')
  })

  it('accepts breaking changes in a new major version, before and after its commit', async () => {
    await startHistory()
    const text = await without('/example/v1/page', '99.0.0')
    const next = { ...contracts, openApi: async () => text }
    await expect(expectNothingBroken(next, place)).resolves.toEqual([])
    await commit({ 'openapi.json': text })
    await expect(expectNothingBroken(next, place)).resolves.toEqual([])
  })

  it('rejects breaking changes in a new minor version, before and after its commit', async () => {
    await startHistory()
    const text = await without('/example/v1/page', '3.1.0')
    const next = { ...contracts, openApi: async () => text }
    await expect(expectNothingBroken(next, place)).rejects.toThrow('path removed')
    await commit({ 'openapi.json': text })
    await expect(expectNothingBroken(next, place)).rejects.toThrow('path removed')
  })

  it('rejects the removal of an event', async () => {
    await startHistory(EXAMPLE_SNAPSHOT)
    const fewer = { ...contracts, registry: createRegistry(EXAMPLE_EVENTS.slice(1)) }
    await expect(expectNothingBroken(fewer, place)).rejects.toThrow('note.placed.v1: removed')
  })

  it('accepts changes of what was added since the version was introduced', async () => {
    await git('init', '--quiet')
    await commit({ 'openapi.json': await without('/example/v1/page'), 'events.json': '{}' })
    await commit({ 'openapi.json': await contracts.openApi(), 'events.json': EXAMPLE_SNAPSHOT })
    const text = await without('/example/v1/page')
    const registry = createRegistry(EXAMPLE_EVENTS.slice(1))
    const fewer = { ...contracts, openApi: async () => text, registry }
    await expect(expectNothingBroken(fewer, place)).resolves.toEqual([])
  })

  it('reports a missing history of the repository or of the file', async () => {
    const [noHistory] = await expectNothingBroken(contracts, place)
    expect(noHistory).toBe('openapi.json: there is no git history here')
    await git('init', '--quiet')
    await commit({ 'other.json': '{}' })
    const [neverCommitted] = await expectNothingBroken(contracts, place)
    expect(neverCommitted).toBe('openapi.json: it was never committed')
  })

  it('rejects missing and outdated files', async () => {
    await expect(expectContractsUnchanged(contracts, place)).rejects.toThrow('npm run contracts')
  })
})

describe('expectValidEvents', () => {
  it('rejects an outbox without events, and an event that breaks its contract', async () => {
    const { schema } = contracts
    await using database = await testDatabase({ schema, migrations: await contracts.migrations() })
    const check = () => expectValidEvents(database.adminUrl, contracts)
    await expect(check()).rejects.toThrow('events to validate')
    const client = new Client({ connectionString: database.adminUrl })
    await client.connect()
    try {
      await client.query(
        `insert into ${schema}.outbox
           (event_id, subject, payload, envelope, occurred_at, ordering_key)
         values ('evt_1', 'unknown', '{}', '{"subject": "unknown"}', now(), 'one')`,
      )
    } finally {
      await client.end()
    }
    await expect(check()).rejects.toMatchObject({ code: 'MELMASTOON.GENERAL.EVENT_REFUSED' })
  })
})

const EXAMPLE_SNAPSHOT = JSON.stringify(
  Object.fromEntries(
    EXAMPLE_EVENTS.map(({ subject, producer, retentionClass, payload }) => [
      subject,
      { producer, retentionClass, payload },
    ]),
  ),
)

interface Document {
  info: { version: string }
  paths: Record<string, unknown>
}
