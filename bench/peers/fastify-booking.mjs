import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { Pool } from 'undici'
import { serveCommands } from '../src/harness/serve-commands.ts'
import {
  captureModeOf,
  confirmRequest,
  holdRequest,
  intentRequest,
  quoteRequest,
  TABLES,
  upstreamHeaders,
  viewOf,
} from './booking-flow.mjs'

const DRAFT = `id, session_id as "sessionId", state, version, terms, guest,
  reservation_id as "reservationId", reservation_code as "reservationCode",
  hold_expires_at as "holdExpiresAt"`
const EVENT = `insert into outbox (id, subject, ordering_key, payload, created_at)
  values ($1, $2, $3, $4, now())`

/**
 * The same booking written plainly: one transaction per step. No session, limits, idempotency keys,
 * encryption or events that are published; a crash or a repeated request does what it does.
 */
async function start({ databaseUrl, upstreams, tenantId }) {
  const db = new pg.Pool({ connectionString: databaseUrl, max: 8 })
  db.on('error', () => undefined)
  db.on('connect', (client) => client.on('error', () => undefined))
  await db.query(TABLES)
  const call = createCall(upstreams, tenantId)
  const app = Fastify()

  app.post('/quote', async ({ body }, reply) => {
    const quote = await call('pricing', 'POST', '/pricing/quotes', quoteRequest(body))
    await transaction(db, (tx) =>
      tx.query('insert into quotes values ($1, $2, $3, $4)', [
        quote.quoteId,
        tenantId,
        quote,
        quote.expiresAt,
      ]),
    )
    return reply.code(201).send(quote)
  })

  app.post('/hold', async ({ body, headers }, reply) => {
    const found = await db.query('select quote from quotes where id = $1 and tenant_id = $2', [
      body.quoteId,
      tenantId,
    ])
    const { quote } = found.rows[0]
    if (quote.digest !== body.digest) return reply.code(409).send({ code: 'price_changed' })
    const id = randomUUID()
    const request = holdRequest(quote, id, headers.cookie)
    const held = await call('reservation', 'POST', '/reservations/holds', request)
    if (held === null) return reply.code(409).send({ code: 'sold_out' })
    const draft = await transaction(db, async (tx) => {
      const { rows } = await tx.query(
        `insert into drafts values ($1, $2, $3, 'holding', 1, $4, $5, $6, $7, $8, null, now(), now())
         returning ${DRAFT}`,
        [
          id,
          tenantId,
          headers.cookie,
          quote.quoteId,
          held.reservationId,
          held.code,
          quote,
          held.holdExpiresAt,
        ],
      )
      await tx.query(EVENT, [randomUUID(), 'booking_draft.created', id, { id }])
      return rows[0]
    })
    return reply.code(201).send(viewOf(draft))
  })

  app.patch('/draft/:id', async ({ params, body }, reply) => {
    const draft = await transaction(db, async (tx) => {
      const { rows } = await tx.query(
        `update drafts set guest = $3, state = 'collecting_details', version = version + 1,
           updated_at = now() where id = $1 and version = $2 returning ${DRAFT}`,
        [params.id, body.version, body.guest],
      )
      await tx.query(EVENT, [randomUUID(), 'flow.step_completed', params.id, { id: params.id }])
      return rows[0]
    })
    return draft === undefined ? reply.code(409).send({ code: 'changed' }) : viewOf(draft)
  })

  app.post('/draft/:id/payment-intent', async ({ params, body }, reply) => {
    const { rows } = await db.query(`select ${DRAFT} from drafts where id = $1`, [params.id])
    const [draft] = rows
    const [recheck, methods] = await Promise.all([
      call('pricing', 'GET', `/pricing/quotes/${draft.terms.quoteId}/recheck`),
      call('payment', 'GET', '/payments/methods'),
    ])
    if (recheck.outcome !== 'matched') return reply.code(409).send({ code: 'price_changed' })
    const captureMode = captureModeOf(methods, body.method)
    const request = intentRequest(draft, body.method, captureMode)
    const intent = await call('payment', 'POST', '/payments/intents', request)
    const after = await transaction(db, async (tx) => {
      await tx.query('insert into payments values ($1, $2, $3, $4, $5, $6, now())', [
        intent.paymentIntentId,
        draft.id,
        body.method,
        captureMode,
        intent.status,
        intent.amount,
      ])
      const changed = await tx.query(
        `update drafts set state = 'paying', version = version + 1, updated_at = now()
         where id = $1 returning ${DRAFT}`,
        [draft.id],
      )
      await tx.query(EVENT, [randomUUID(), 'payment_intent.created', draft.id, { id: draft.id }])
      return changed.rows[0]
    })
    return reply.code(201).send({ ...viewOf(after), nextAction: intent.nextAction })
  })

  app.post('/draft/:id/confirm', async ({ params }, reply) => {
    const { rows } = await db.query(`select ${DRAFT} from drafts where id = $1`, [params.id])
    const [draft] = rows
    const paid = await db.query(
      `select id, method, capture_mode as "captureMode" from payments where draft_id = $1`,
      [params.id],
    )
    const [payment] = paid.rows
    const intent = await call('payment', 'GET', `/payments/intents/${payment.id}`)
    if (!['authorized', 'captured', 'pending_cash'].includes(intent.status)) {
      return reply.code(409).send({ code: 'not_paid' })
    }
    const path = `/reservations/${draft.reservationId}/confirm`
    await call('reservation', 'POST', path, confirmRequest(draft, payment))
    const isCaptured = intent.status === 'authorized' && payment.captureMode === 'manual'
    const { status } = isCaptured
      ? await call('payment', 'POST', `/payments/intents/${payment.id}/capture`, {})
      : intent
    const after = await transaction(db, async (tx) => {
      await tx.query('update payments set status = $2 where id = $1', [payment.id, status])
      const changed = await tx.query(
        `update drafts set state = 'confirmed', version = version + 1, updated_at = now()
         where id = $1 returning ${DRAFT}`,
        [draft.id],
      )
      await tx.query(EVENT, [randomUUID(), 'booking_draft.converted', draft.id, { id: draft.id }])
      return changed.rows[0]
    })
    return viewOf(after)
  })

  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

/** Null for a conflict. */
function createCall(upstreams, tenantId) {
  const pool = new Pool(upstreams.url, { connections: 64 })
  const base = upstreamHeaders(upstreams, tenantId)
  return async (name, method, path, body) => {
    const response = await pool.request({
      method,
      path: `/upstreams/${name}/api/v1${path}`,
      headers: {
        ...base,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(2_000),
    })
    const value = await response.body.json()
    if (response.statusCode === 409) return null
    if (response.statusCode >= 300) throw new Error(`${path}: ${response.statusCode}`)
    return value
  }
}

async function transaction(db, work) {
  const client = await db.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

serveCommands({ start })
