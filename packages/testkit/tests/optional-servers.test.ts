import { startPgBouncer, startPubSubEmulator, testDatabase } from '@melmastoon/testkit'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'

const unprepared = {
  schema: 'kit',
  templateKey: 'empty',
  prepare: () => Promise.resolve(),
}

async function backendOf(client: Client): Promise<unknown> {
  const result = await client.query('select pg_backend_pid() as pid')
  return result.rows[0]?.pid
}

describe('startPgBouncer', () => {
  it('shares one server connection between the transactions of several clients', async (context) => {
    await using database = await testDatabase(unprepared)
    const pooler = await startPgBouncer(database.adminUrl, { poolSize: 1 })
    if (!pooler.available) return context.skip(pooler.reason)
    await using _pooler = pooler
    const clients = [1, 2].map(() => new Client({ connectionString: pooler.url }))
    await Promise.all(clients.map((client) => client.connect()))
    const backends = []
    for (const client of clients) backends.push(await backendOf(client))
    expect(backends[0]).toBe(backends[1])
    expect(new URL(pooler.urlFor('other')).username).toBe('other')
    await Promise.all(clients.map((client) => client.end()))
  })
})

describe('startPubSubEmulator', () => {
  it('responds on its endpoint until it is disposed', async (context) => {
    const emulator = await startPubSubEmulator()
    if (!emulator.available) return context.skip(emulator.reason)
    const topic = `http://${emulator.endpoint}/v1/projects/kit/topics/notes`
    expect((await fetch(topic, { method: 'PUT' })).status).toBe(200)
    await emulator[Symbol.asyncDispose]()
    await expect(fetch(topic)).rejects.toBeInstanceOf(TypeError)
  })
})
