import type { IncomingMessage } from 'node:http'
import type { PropertyId, TenantId } from '@melmastoon/domain'

/** `invalid`: JSON that violates the contract. `rejecting`: 403 for our credentials. */
export type Mode = 'normal' | 'down' | 'hanging' | 'dropping' | 'invalid' | 'rejecting'
export type Name = 'search' | 'pricing' | 'theme' | 'property' | 'tenant'

export interface Behaviour {
  mode: Mode
  delayMs: number
  /** The mode applies only to paths that contain this text; other requests succeed. */
  only?: string
}

export interface Hotel {
  propertyId: PropertyId
  tenantId: TenantId
  city: string
  name: string
  nightlyMicro: string
  deliveryRegion: string
  openedOn: string
}

export interface UpstreamRequest {
  upstream: Name
  path: string
  body: Record<string, unknown>
  headers: IncomingMessage['headers']
}

export interface UpstreamResponse {
  readonly status: number
  readonly body: unknown
}

/** The data and behaviour of the upstreams; tests modify them. */
export interface UpstreamState {
  behaviour: Record<Name, Behaviour>
  readonly hotels: Hotel[]
  readonly requests: UpstreamRequest[]
  capturedAt: () => string
  /** Added to previews of priced hotels, for prices that match the contract but are implausible. */
  previewExtra: Record<string, unknown>
  /** Added to offers and calendars of stays. */
  offersExtra: Record<string, unknown>
  /** Added to search responses. */
  searchExtra: Record<string, unknown>
  /** Added to property responses. */
  propertyExtra: Record<string, unknown>
  /** Tenants that the tenant service reports as suspended. */
  readonly suspended: Set<TenantId>
  /** Hotels missing from the search index. */
  readonly unlisted: Set<PropertyId>
  /** Hotels without a price. */
  readonly unsold: Set<PropertyId>
  /** Hotels without a price, for another reason than that they are sold out. */
  readonly restricted: Map<PropertyId, string>
  /** Hotels with an offer whose lines do not add up to its total. */
  readonly unevenLines: Set<PropertyId>
}

export interface FakeUpstreams extends UpstreamState, AsyncDisposable {
  readonly url: string
  count(upstream: Name): number
  reset(): void
}
