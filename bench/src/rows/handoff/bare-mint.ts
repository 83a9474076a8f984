import { createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createDatabase, rawSql, sql } from '@melmastoon/chassis/db'
import { serveCommands } from '../../harness/serve-commands.ts'

const LIFETIME_MS = 1_800_000
const SECRET = 'no secret at all, but long enough to be one'

/** The floor: one HMAC and one insert. No session, no tenant is looked up, nothing is replayed. */
async function start({ url }: { readonly url: string }): Promise<number> {
  const db = createDatabase({ url, poolMax: 8, onError: () => undefined })
  await db.query(
    rawSql('create table handoffs (id uuid primary key, handoff jsonb, expires_at timestamptz)'),
  )
  const mint = async (request: unknown) => {
    const id = randomUUID()
    const expiresAt = new Date(Date.now() + LIFETIME_MS).toISOString()
    const text = Buffer.from(JSON.stringify({ id, request, expiresAt })).toString('base64url')
    const token = `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`
    await db.query(sql`
      insert into handoffs values (${id}::uuid, ${JSON.stringify(request)}::jsonb,
        ${expiresAt}::timestamptz)`)
    return JSON.stringify({ id, token, expiresAt })
  }
  const server = createServer((request, response) => {
    json(request)
      .then(mint)
      .then(
        (body) => response.writeHead(201, { 'content-length': Buffer.byteLength(body) }).end(body),
        () => response.writeHead(500).end(),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

serveCommands({ start })
