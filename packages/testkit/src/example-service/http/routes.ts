import type { CachedBytes } from '@melmastoon/chassis/cache'
import {
  type App,
  createLimitHook,
  createSessionHook,
  eventCause,
  idempotent,
  idempotentWrite,
  renderCookie,
  type SchemaRequest,
  type SessionHook,
  sendCached,
  sessionMutation,
} from '@melmastoon/chassis/http'
import { CURRENCY_CODES, idPattern, LOCALES, type TenantId } from '@melmastoon/domain'
import { Type } from 'typebox'
import type { ExampleContext } from '../context.ts'
import { listNotes, NOTE_ID, type NoteId, placeNote, reserveNote } from '../notes/notes.ts'
import { Catalogue, readPage } from '../page/page.ts'
import { COOKIE } from '../sessions/guest-session.ts'

type Sessions = SessionHook<unknown>
type TenantRequest = SchemaRequest<{ params: typeof TenantParams }>

const text = Type.String()
const locale = Type.Enum([...LOCALES])
const currency = Type.Enum([...CURRENCY_CODES])
const tenantId = Type.Unsafe<TenantId>(Type.String({ pattern: idPattern('tnt') }))
const noteId = Type.Unsafe<NoteId>(Type.String({ pattern: idPattern(NOTE_ID) }))
const TenantParams = Type.Object({ tenantId })
const optionalText = Type.Union([text, Type.Null()])
const note = { noteId: text, text, reservationRef: optionalText, createdAt: text }
const Note = Type.Object(note, { additionalProperties: false })

/** Hooks, then routes: requests pass them in this order. */
export function registerRoutes(app: App, ctx: ExampleContext): void {
  const session = createSessionHook(ctx.sessions, COOKIE)
  const limit = createLimitHook((request) => {
    const lookup = session.lookupOf(request)
    const key = lookup.kind === 'found' ? lookup.session.id : request.ip
    return { own: { limiter: ctx.limiter, key } }
  })
  void app.register(async (scope: App) => {
    scope.addHook('onRequest', session.hook).addHook('onRequest', limit)
    for (const route of [getPageRoute, startSessionRoute, listNotesRoute]) route(scope, ctx)
    for (const route of [placeNoteRoute, reserveNoteRoute]) route(scope, ctx, session)
  })
}

function getPageRoute(app: App, ctx: ExampleContext) {
  const response = { 200: Type.Object({ locale, currency, ...Catalogue.properties }) }
  const schema = { querystring: Type.Object({ locale, currency }), response }
  const config = { operation: 'example.page.read', deadlineMs: 3_000 }
  app.get('/example/v1/page', { config, schema }, ({ query, deadline }, reply) => {
    const send = (page: CachedBytes) =>
      sendCached(reply, page, { cacheControl: 'private, max-age=15' })
    const page = readPage(ctx, query, deadline)
    return page instanceof Promise ? page.then(send) : send(page)
  })
}

function startSessionRoute(app: App, ctx: ExampleContext) {
  const response = { 201: Type.Object({ sessionId: text }) }
  const schema = { body: Type.Object({ locale }), response }
  const config = { operation: 'example.session.start' }
  app.post('/example/v1/session', { config, schema }, async ({ body }, reply) => {
    const { session, cookieValue } = ctx.sessions.start(body)
    await ctx.sessions.store(session)
    reply.code(201).header('set-cookie', renderCookie(COOKIE.cookieName, cookieValue, COOKIE))
    return { sessionId: session.id }
  })
}

function listNotesRoute(app: App, ctx: ExampleContext) {
  const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 }))
  const response = { 200: Type.Object({ notes: Type.Array(Note) }) }
  const schema = { params: TenantParams, querystring: Type.Object({ limit }), response }
  const config = { operation: 'example.note.list' }
  app.get('/example/v1/:tenantId/notes', { config, schema }, async ({ params, query }) => ({
    notes: await listNotes(ctx, params.tenantId, query.limit ?? 20),
  }))
}

const tenantOf = (request: TenantRequest) => request.params.tenantId

function causeOf(ctx: ExampleContext, sessions: Sessions, request: TenantRequest) {
  const { id: sessionId } = sessions.requireSession(request)
  return eventCause(ctx, request, { tenantId: request.params.tenantId, sessionId })
}

function placeNoteRoute(app: App, ctx: ExampleContext, sessions: Sessions) {
  const body = Type.Object({ text: Type.String({ minLength: 1, maxLength: 280 }) })
  const response = { 201: Type.Object({ noteId: text, text }) }
  const schema = { params: TenantParams, body, response }
  const config = { operation: 'example.note.place' }
  const options = sessionMutation({ ctx, session: sessions, tenant: tenantOf })
  const place = idempotentWrite<SchemaRequest<typeof schema>>(options, (request) =>
    placeNote(request.params.tenantId, request.body.text, causeOf(ctx, sessions, request)),
  )
  app.post('/example/v1/:tenantId/notes', { config, schema }, place)
}

function reserveNoteRoute(app: App, ctx: ExampleContext, sessions: Sessions) {
  const response = { 200: Type.Object({ noteId: text, reservationRef: text }) }
  const schema = { params: Type.Object({ tenantId, noteId }), body: Type.Object({}), response }
  const config = { operation: 'example.note.reserve', deadlineMs: 3_000 }
  // The lease is the deadline plus one second for the last statement.
  const options = sessionMutation({ ctx, session: sessions, tenant: tenantOf, leaseMs: 4_000 })
  const run = idempotent<SchemaRequest<typeof schema>>(options, (request, claim, { deadline }) => {
    const call = { deadline, trace: request.trace, cause: causeOf(ctx, sessions, request) }
    return reserveNote(ctx, claim, { ...request.params, ...call })
  })
  app.post('/example/v1/:tenantId/notes/:noteId/reserve', { config, schema }, run)
}
