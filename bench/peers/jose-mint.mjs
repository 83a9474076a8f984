import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { SignJWT } from 'jose'
import pg from 'pg'
import { serveCommands } from '../src/harness/serve-commands.ts'

/** A usual implementation: a JWT valid for half an hour, and a row that makes it usable once. */
async function start({ url }) {
  const secret = new TextEncoder().encode('no secret at all, but long enough to be one')
  const pool = new pg.Pool({ connectionString: url, max: 8 })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  await pool.query(
    'create table handoffs (id uuid primary key, handoff jsonb, expires_at timestamptz)',
  )
  const app = Fastify()
  app.post('/handoff', async ({ body }, reply) => {
    const id = randomUUID()
    const token = await new SignJWT(body)
      .setProtectedHeader({ alg: 'HS256' })
      .setJti(id)
      .setIssuedAt()
      .setExpirationTime('30m')
      .sign(secret)
    const expiresAt = new Date(Date.now() + 1_800_000).toISOString()
    await pool.query('insert into handoffs values ($1, $2, $3)', [id, body, expiresAt])
    return reply.code(201).send({ id, token, expiresAt })
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

serveCommands({ start })
