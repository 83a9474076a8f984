import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createDatabase, rawSql, sql } from '@melmastoon/chassis/db'
import { serveCommands } from '../../harness/serve-commands.ts'
import { signHandoff } from './sign-handoff.ts'

/** The floor: one HMAC and one insert. No session, no tenant is looked up, nothing is replayed. */
async function start({ url }: { readonly url: string }): Promise<number> {
  const db = createDatabase({ url, poolMax: 8, onError: () => undefined })
  await db.query(
    rawSql('create table handoffs (id uuid primary key, handoff jsonb, expires_at timestamptz)'),
  )
  const mint = async (request: unknown) => {
    const handoff = signHandoff(request)
    await db.query(sql`
      insert into handoffs values (${handoff.id}::uuid, ${JSON.stringify(request)}::jsonb,
        ${handoff.expiresAt}::timestamptz)`)
    return JSON.stringify(handoff)
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
