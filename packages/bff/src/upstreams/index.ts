export type { UpstreamCall } from './upstream-call.ts'
export { asAbsent, asBrokenContract } from './upstream-errors.ts'
