export {
  type ConnectedUpstreams,
  type ConnectOptions,
  connectUpstreams,
} from './connect-upstreams.ts'
export {
  createServiceAuth,
  createServiceVerifier,
  type ServiceAuthConfig,
} from './service-auth.ts'
export type { UpstreamCall } from './upstream-call.ts'
export {
  type ClientOf,
  createUpstreamConnections,
  type UpstreamConnections,
  type UpstreamDeps,
} from './upstream-connections.ts'
export { asAbsent, asRejectedRequest, budgetExceededAs } from './upstream-errors.ts'
