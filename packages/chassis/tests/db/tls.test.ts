import { readFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { createDatabase, type DatabaseTlsSettings, sql } from '@melmastoon/chassis/db'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, notesDatabase } from './fixture.ts'

const SSL_REQUEST = 80_877_103
const fileOf = (name: string) => readFile(new URL(`./tls/${name}`, import.meta.url), 'utf8')

/** Accepts TLS as Postgres does, records what arrives, and closes the connection. */
const seen: string[] = []
let credentials: { key: string; cert: string }
const server = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.once('data', (first) => {
    if (first.readInt32BE(4) !== SSL_REQUEST) {
      record('plain', first, socket)
      return
    }
    socket.write('S')
    const secure = new TLSSocket(socket, { isServer: true, ...credentials })
    secure.on('error', () => undefined)
    secure.once('data', (startup) => record('encrypted', startup, secure))
  })
})

function record(how: string, startup: Buffer, socket: Socket): void {
  seen.push(`${how} ${startup.includes('guest_role') ? 'startup' : 'other'}`)
  socket.destroy()
}

let port: number
let ca: string
let otherCa: string
beforeAll(async () => {
  credentials = { key: await fileOf('server-key.pem'), cert: await fileOf('server.pem') }
  ca = await fileOf('ca.pem')
  otherCa = await fileOf('other-ca.pem')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(() => void server.close())
beforeEach(() => {
  seen.length = 0
})

async function connect(tls: DatabaseTlsSettings): Promise<string[]> {
  const url = `postgres://guest_role@127.0.0.1:${port}/main?sslmode=disable`
  await using db = createDatabase({ url, tls, poolMax: 1, onError: () => undefined })
  await expect(db.query(sql`select 1`)).rejects.toMatchObject({ status: 503 })
  return [...seen]
}

describe('a connection to Postgres', () => {
  it('is encrypted when the certificate has the configured authority', async () => {
    expect(await connect({ tls: 'verify-ca', ca })).toEqual(['encrypted startup'])
  })

  it('sends nothing to a server with the certificate of another authority', async () => {
    expect(await connect({ tls: 'verify-ca', ca: otherCa })).toEqual([])
    expect(await connect({ tls: 'verify-ca' })).toEqual([])
  })

  it('sends nothing to a server with another name, if names are checked', async () => {
    expect(await connect({ tls: 'verify-full', ca })).toEqual([])
  })

  it('is rejected when the server has no TLS', async () => {
    await using postgres = await notesDatabase()
    const tls = { tls: 'verify-ca', ca } as const
    const url = postgres.appUrl
    await using db = createDatabase({ url, tls, poolMax: 1, onError: () => undefined })
    expect(await failureOf(db.query(sql`select 1`))).toBe(
      'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
    )
  })

  it('is not encrypted on this machine by default', async () => {
    expect(await connect({ tls: 'auto', ca })).toEqual(['plain startup'])
    expect(await connect({ tls: 'off', ca })).toEqual(['plain startup', 'plain startup'])
  })
})
