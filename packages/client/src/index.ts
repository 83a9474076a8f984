export type { FieldError, ProblemCode } from '@melmastoon/domain'
export { ApiProblem, type ApiProblemContext, isApiProblem, UNEXPLAINED } from './api-problem.ts'
export { ApiUnreachable, type UnreachableReason } from './api-unreachable.ts'
export { type CookieOptions, keepCookies, type SendFunction } from './cookie-jar.ts'
export {
  type Client,
  type ClientOptions,
  type ClientResponse,
  createClient,
} from './create-client.ts'
export { newIdempotencyKey } from './idempotency-key.ts'
export * from './messages.ts'
export {
  type OfflinePack,
  openOfflinePack,
  type PackLists,
  type PackReader,
} from './open-offline-pack.ts'
export type { ProblemCodeOf } from './problem-codes.ts'
export {
  type EventStreamOptions,
  readEventStream,
  type StreamEnd,
  type StreamMessage,
} from './read-event-stream.ts'
export type { ConnectionOptions } from './send-options.ts'
