export { ApiProblem, isApiProblem, UNEXPLAINED } from './api-problem.ts'
export { ApiUnreachable, type UnreachableReason } from './api-unreachable.ts'
export {
  type Client,
  type ClientOptions,
  type ClientResponse,
  createClient,
} from './create-client.ts'
export { formatProblem, type ServedMessages, type ShownProblem } from './format-problem.ts'
export { newIdempotencyKey } from './idempotency-key.ts'
export {
  type OfflinePack,
  openOfflinePack,
  type PackLists,
  type PackReader,
} from './open-offline-pack.ts'
export {
  type EventStreamOptions,
  readEventStream,
  type StreamEnd,
  type StreamMessage,
} from './read-event-stream.ts'
