export { ApiProblem, isApiProblem, UNEXPLAINED } from './api-problem.ts'
export { ApiUnreachable, type UnreachableReason } from './api-unreachable.ts'
export { type Answer, type Client, type ClientOptions, createClient } from './create-client.ts'
export { newIdempotencyKey } from './idempotency-key.ts'
