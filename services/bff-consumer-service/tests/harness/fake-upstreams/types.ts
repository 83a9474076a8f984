import type { IncomingMessage } from 'node:http'
import type { PropertyId, TenantId } from '@melmastoon/domain'

/** `lying`: an answer that is JSON and breaks the contract. `refusing`: it does not know us. */
export type Mood = 'well' | 'down' | 'hanging' | 'dropping' | 'lying' | 'refusing'
export type Name = 'search' | 'pricing' | 'theme' | 'property' | 'tenant'

export interface Behaviour {
  mood: Mood
  delayMs: number
  /** Only what is asked for under such a path is treated so; the rest is well. */
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

export interface Asked {
  upstream: Name
  path: string
  body: Record<string, unknown>
  headers: IncomingMessage['headers']
}

export interface Answered {
  readonly status: number
  readonly body: unknown
}

/** What the upstreams know, and tests change. */
export interface Stand {
  behaviour: Record<Name, Behaviour>
  readonly hotels: Hotel[]
  readonly asked: Asked[]
  capturedAt: () => string
  /** What `priced` hotels answer besides; for prices that keep the contract and make no sense. */
  previewExtra: Record<string, unknown>
  /** What a search answers besides. */
  searchExtra: Record<string, unknown>
  /** What a property answers besides. */
  propertyExtra: Record<string, unknown>
  /** Tenants that the tenant service calls suspended. */
  readonly suspended: Set<TenantId>
  /** Hotels that are in no index. */
  readonly unlisted: Set<PropertyId>
  /** Hotels that pricing has no price for. */
  readonly unsold: Set<PropertyId>
}

export interface FakeUpstreams extends Stand, AsyncDisposable {
  readonly url: string
  count(upstream: Name): number
  mend(): void
}
