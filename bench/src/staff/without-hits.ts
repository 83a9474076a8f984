import { AsyncLocalStorage } from 'node:async_hooks'
import type { DefinedCache, GetRequest } from '@melmastoon/chassis/cache'

const requests = new AsyncLocalStorage<number>()
let lastRequest = 0

/** Runs the rest of a request; its reads share entries with each other only. */
export function nextRequest(run: () => void): void {
  lastRequest += 1
  requests.run(lastRequest, run)
}

/**
 * A cache in which no request finds the entry of another one. Lookups, leases and writes are those
 * of the real cache: a cold read as it is in production.
 */
export function withoutHits<D extends string>(cache: DefinedCache<D>): DefinedCache<D> {
  const own = (dims: GetRequest<D>['dims']): GetRequest<D>['dims'] => {
    const request = requests.getStore() ?? 0
    return { ...dims, propertyId: `${String((dims as Keyed).propertyId)}.${request}` }
  }
  const get = (request: GetRequest<D>) => cache.get({ ...request, dims: own(request.dims) })
  const peek: typeof cache.peek = (dims, tags) => cache.peek(own(dims), tags)
  return Object.create(cache, { get: { value: get }, peek: { value: peek } }) as typeof cache
}

interface Keyed {
  readonly propertyId?: unknown
}
