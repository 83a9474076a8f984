export type { BreakerState } from './guard.ts'
export { knownPartOf, type RepeatedList } from './known-parts.ts'
export { type ReportSection, type Section, type Sections, settleSections } from './sections.ts'
export { createUpstream, type Upstream } from './upstream.ts'
export { fromUpstreamRejection, wasNotSent } from './upstream-failure.ts'
export type { UpstreamObserver, UpstreamOptions } from './upstream-options.ts'
export {
  UpstreamRejection,
  type UpstreamRequest,
  type UpstreamResponse,
} from './upstream-request.ts'
