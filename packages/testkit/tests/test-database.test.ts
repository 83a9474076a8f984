import { testDatabase, testInfra } from '@melmastoon/testkit'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'

async function run<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function count(url: string): Promise<number> {
  const result = await run(url, (client) => client.query('select count(*)::int as n from notes'))
  return Number(result.rows[0]?.n)
}

function options(templateKey: string, onPrepare: () => void = () => undefined) {
  return {
    schema: 'kit',
    templateKey,
    prepare: async (adminUrl: string) => {
      onPrepare()
      await run(adminUrl, (client) => client.query('create table notes(body text)'))
    },
  }
}

describe('testDatabase', () => {
  it('creates a separate database for each caller', async () => {
    await using first = await testDatabase(options('isolation'))
    await using second = await testDatabase(options('isolation'))
    await run(first.adminUrl, (client) => client.query(`insert into notes values ('mine')`))
    expect(await count(first.adminUrl)).toBe(1)
    expect(await count(second.adminUrl)).toBe(0)
  })

  it('prepares a template once for concurrent callers', async () => {
    let prepared = 0
    const wanted = options('once', () => {
      prepared += 1
    })
    const databases = await Promise.all([1, 2, 3, 4].map(() => testDatabase(wanted)))
    expect(prepared).toBe(1)
    expect(new Set(databases.map((database) => database.name)).size).toBe(4)
    await Promise.all(databases.map((database) => database[Symbol.asyncDispose]()))
  })

  it('builds another template for another key and starts over after a failed one', async () => {
    const failing = { ...options('broken'), prepare: () => Promise.reject(new Error('broken')) }
    await expect(testDatabase(failing)).rejects.toThrow('broken')
    await using database = await testDatabase(options('broken'))
    expect(await count(database.adminUrl)).toBe(0)
  })

  it('migrates and grants each role its privileges', async () => {
    const grant = 'grant select on kit_notes.notes to kit_notes_app'
    const up = `create table kit_notes.notes(body text); grant usage on schema kit_notes to kit_notes_app; ${grant}`
    const migrations = [{ version: '0001_notes', up }]
    await using database = await testDatabase({ schema: 'kit_notes', migrations })
    expect(await count(database.appUrl)).toBe(0)
    const insert = run(database.appUrl, (client) => client.query(`insert into notes values ('x')`))
    await expect(insert).rejects.toMatchObject({ code: '42501' })
    await run(database.ownerUrl, (client) => client.query('create schema another'))
  })

  it('names the roles after the schema and drops the database even with open connections', async () => {
    const database = await testDatabase(options('drop'))
    expect(new URL(database.appUrl).username).toBe('kit_app')
    expect(new URL(database.relayUrl).username).toBe('kit_relay')
    const user = new Client({ connectionString: database.adminUrl })
    user.on('error', () => undefined)
    await user.connect()
    await database[Symbol.asyncDispose]()
    const left = await run(testInfra().postgresUrl, (client) =>
      client.query('select 1 from pg_database where datname = $1', [database.name]),
    )
    expect(left.rowCount).toBe(0)
  })
})
