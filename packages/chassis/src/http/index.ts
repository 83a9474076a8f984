export { addressLimitHook, createAddressLimit } from './address-limits.ts'
export { type App, type AppOptions, buildApp, type SchemaRequest } from './build-app.ts'
export { closeSchema } from './close-schema.ts'
export { type CookieOptions, readCookie, renderCookie } from './cookies.ts'
export type { OperationExamples } from './document-examples.ts'
export type { ResponseHeader } from './document-headers.ts'
export { PROBLEM_SCHEMA, type ProblemBody } from './document-problems.ts'
export type { SchemaNote, SchemaNotes } from './document-schemas.ts'
export { problemContext } from './error-handler.ts'
export { type EventSource, eventCause } from './event-cause.ts'
export {
  decidedFor,
  type FastRequest,
  type FastResponder,
  type FastRoutes,
  type ReadyResponse,
} from './fast-path/index.ts'
export type { ReadinessCheck } from './health.ts'
export {
  type IdempotentHandler,
  idempotent,
  type ProvisionalResponse,
} from './idempotency/idempotent.ts'
export type { IdempotentRouteOptions } from './idempotency/idempotent-route.ts'
export { idempotentWrite, type MutationPlan } from './idempotency/idempotent-write.ts'
export { mutatingRoutesWithoutIdempotency } from './idempotency/mutating-routes.ts'
export { type SessionMutation, sessionMutation } from './idempotency/session-mutation.ts'
export {
  announceLimit,
  createLimitHook,
  type LimitHook,
  limitTaken,
} from './limit-hook.ts'
export {
  type OpenApiOptions,
  type OperationNotes,
  renderOpenApi,
} from './openapi.ts'
export { rawBodyOf } from './raw-body.ts'
export { type RouteAddress, registerAt } from './register-at.ts'
export { type JobRoutesOptions, registerJobRoutes } from './register-job-routes.ts'
export { createHostReader, type HostOptions, parseHost } from './request-host.ts'
export {
  addHeader,
  dropHeader,
  SECURITY_HEADERS,
} from './response-headers.ts'
export { type SendCachedOptions, sendCached } from './send-cached.ts'
export { PRIVATE_HEADERS, sendPrivateJson } from './send-private.ts'
export { type ServeOptions, type Serving, serve } from './serve.ts'
export { createSessionHook, type SessionHook } from './session-hook.ts'
export { startEventStream } from './stream-events.ts'
export { type LineStream, streamLines } from './stream-lines.ts'
export { toProblem } from './to-problem.ts'
