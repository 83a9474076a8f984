import { once } from 'node:events'
import { type Database, sql } from '@melmastoon/chassis/db'
import {
  type Claim,
  createIdempotency,
  type FingerprintVersions,
  type Mutation,
  type ReplayShortcut,
} from '@melmastoon/chassis/idempotency'
import type { Metrics } from '@melmastoon/chassis/telemetry'
import {
  idToUuid,
  newId,
  type ProblemCode,
  parseId,
  problem,
  type TenantId,
} from '@melmastoon/domain'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type App, buildApp } from '../../src/http/build-app.ts'
import { idempotent } from '../../src/http/idempotency/idempotent.ts'
import { idempotentWrite } from '../../src/http/idempotency/idempotent-write.ts'
import { registerAt } from '../../src/http/register-at.ts'

export interface TestAppOptions {
  readonly db: Database
  readonly schema: string
  readonly secret: Buffer
  readonly upstreamUrl: string
  readonly leaseMs: number
  readonly ttlMs?: number
  /** Unscoped services have no tenant in the scope of a key. */
  readonly tenantless?: boolean
  readonly metrics?: Metrics
  readonly shortcut?: ReplayShortcut
  readonly fingerprints?: FingerprintVersions
}

const NoteBody = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 200 }),
  stars: Type.Number({ default: 1 }),
})

type NoteRequest = FastifyRequest<{ Body: { text: string; stars: number } }>

/** Sessions that lost their permission, with the status they receive. */
export const rejectedSessions = new Map<string, 401 | 403 | 429>()

/** A guest book that requests a hold from an upstream before it writes a note. */
export async function createTestApp(options: TestAppOptions): Promise<App> {
  const { db, schema, secret, metrics, shortcut, fingerprints } = options
  const store = createIdempotency({
    db,
    schema,
    secret,
    ...(metrics && { metrics }),
    ...(shortcut && { shortcut }),
  })
  const shared = {
    store,
    service: 'guest-book',
    ttlMs: options.ttlMs ?? 60_000,
    leaseMs: options.leaseMs,
    principal: (request: FastifyRequest) => String(request.headers['x-session']),
    tenant: (request: FastifyRequest) => (options.tenantless ? null : tenantOf(request)),
    significantHeaders: ['X-Currency'],
    finalRejections: ['MELMASTOON.BFF.CONSUMER.WISHLIST_LIMIT_EXCEEDED'] as const,
    ...(fingerprints && { fingerprints }),
  }
  const app = await buildApp({
    service: 'guest-book',
    internal: true,
    maxEventLoopDelayMs: 60_000,
    ...(metrics && { metrics }),
  })
  app.addHook('preHandler', async (request) => authorize(request))
  const place = idempotent<NoteRequest>(shared, (request, claim, { deadline }) =>
    placeNote({ options, request, claim, signal: deadline.signal }),
  )
  const schemaOf = { schema: { body: NoteBody } }
  const named = (operation: string) => ({ ...schemaOf, config: { operation } })
  app.post('/notes', named('note.place'), place)
  app.patch('/notes', named('note.change'), place)
  registerAt(
    app,
    [{ prefix: '/hotels/:slug', params: { slug: Type.String() } }, { prefix: '' }],
    (scope) => void scope.post('/rooms/:room/notes', named('room_note.place'), place),
  )
  app.post(
    '/bookings',
    named('booking.place'),
    idempotent<NoteRequest>(shared, (request, claim, { deadline }) =>
      placeBooking({ options, request, claim, signal: deadline.signal }),
    ),
  )
  app.post(
    '/writes',
    named('write.place'),
    idempotentWrite<NoteRequest>(shared, async (request, { deadline }) => {
      if (slowTexts.has(request.body.text)) await once(deadline.signal, 'abort')
      return planWrite(options, request)
    }),
  )
  app.post(
    '/shapes/:shape',
    { config: { operation: 'shape.show' } },
    idempotent(shared, async (request) => ({ response: shapeOf(request) })),
  )
  return app
}

function tenantOf(request: FastifyRequest): TenantId {
  return parseId('tnt', request.headers['x-tenant'])
}

function authorize(request: FastifyRequest): void {
  const rejection = rejectedSessions.get(String(request.headers['x-session']))
  if (rejection === 401) throw problem('MELMASTOON.GENERAL.UNAUTHENTICATED')
  if (rejection === 403) throw problem('MELMASTOON.GENERAL.FORBIDDEN')
  if (rejection === 429) throw problem('MELMASTOON.GENERAL.RATE_LIMITED')
}

interface Placing {
  readonly options: TestAppOptions
  readonly request: NoteRequest
  readonly claim: Claim
  readonly signal: AbortSignal
}

/** Hold upstream, checkpoint, then note and response in one transaction. */
async function placeNote(placing: Placing): Promise<undefined> {
  const { options, request, claim } = placing
  if (claim.recoveryPoint === 'started') {
    const hold = await obtainHold(placing)
    await claim.checkpoint('held', { hold })
  }
  const hold = String(claim.recoveryData['hold'])
  const tenantId = options.tenantless ? null : tenantOf(request)
  const id = newId('rsv')
  await options.db.scoped(tenantId).transaction(async (tx) => {
    await tx.query(sql`insert into note (tenant_id, mark, body)
      values (${tenantId && idToUuid(tenantId)}, ${hold}, ${request.body.text})`)
    const headers = {
      location: `/notes/${id}`,
      'set-cookie': 'a=b',
      'x-attempt': `${claim.attempt}`,
    }
    const body = { id, hold, stars: request.body.stars }
    await claim.completeIn(tx, { status: 201, body, headers })
  })
}

/** Hold upstream, then note and response in one fenced statement, without a checkpoint. */
async function placeBooking(placing: Placing): Promise<Mutation> {
  const { options, request, claim } = placing
  const hold = await obtainHold(placing)
  const tenantId = options.tenantless ? null : tenantOf(request)
  const { text } = request.body
  return {
    effect: sql`insert into note (tenant_id, mark, body)
      select ${tenantId && idToUuid(tenantId)}::uuid, ${hold}, ${text} from claimed
      where ${text}::text not like 'full%' returning 1`,
    response: { status: 201, body: { hold }, headers: { 'x-attempt': `${claim.attempt}` } },
    rejection: () => problem('MELMASTOON.BFF.CONSUMER.WISHLIST_LIMIT_EXCEEDED'),
  }
}

async function obtainHold({ options, request, claim, signal }: Placing): Promise<string> {
  const url = `${options.upstreamUrl}/holds`
  const headers = { 'idempotency-key': claim.upstreamKey('hold') }
  if (claim.attempt > 1) {
    const found = await fetch(url, { headers, signal })
    if (found.status === 200) return found.text()
  }
  const body = JSON.stringify(request.body)
  const made = await fetch(url, { method: 'POST', headers, body, signal })
  if (made.status === 402) throw problem('MELMASTOON.BFF.CONSUMER.WISHLIST_LIMIT_EXCEEDED')
  if (made.status !== 201) throw problem('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE')
  return made.text()
}

/** Texts whose reads before the statement use up the time of the request. */
export const slowTexts = new Set<string>()

/** Texts that a read before the statement rejects from now on. */
export const rejectedTexts = new Map<string, ProblemCode>()

async function planWrite(options: TestAppOptions, request: NoteRequest): Promise<Mutation> {
  const code = rejectedTexts.get(request.body.text)
  if (code !== undefined) throw problem(code)
  const tenantId = options.tenantless ? null : tenantOf(request)
  const id = newId('rsv')
  const { text } = request.body
  return {
    effect: sql`insert into note (tenant_id, mark, body)
      select ${tenantId && idToUuid(tenantId)}::uuid, ${id}, ${text} from claimed
      where ${text}::text not like 'full%' returning 1`,
    response: { status: 201, body: { id }, headers: { location: `/notes/${id}` } },
    rejection: () => problem('MELMASTOON.BFF.CONSUMER.WISHLIST_LIMIT_EXCEEDED'),
  }
}

function shapeOf(request: FastifyRequest) {
  const { shape } = request.params as { shape: string }
  if (shape === 'empty') return { status: 204 }
  if (shape === 'huge') return { status: 200, body: 'x'.repeat(2_000_000) }
  if (shape === 'binary') {
    const headers = { 'content-type': 'application/octet-stream' }
    return { status: 200, body: Buffer.from([0, 255, 1, 254, 0xc3, 0x28]), headers }
  }
  return { status: 404, body: {} }
}
