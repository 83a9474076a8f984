import type { CalledService, Contract, Operations } from '@melmastoon/upstream-contracts'
import type { ServiceAuthConfig } from './service-auth.ts'
import {
  type ClientOf,
  createUpstreamConnections,
  type UpstreamConnections,
  type UpstreamDeps,
} from './upstream-connections.ts'

type Contracts = Readonly<Record<string, Contract<Operations, CalledService>>>

/** A client per upstream, by name; closed together. */
export type ConnectedUpstreams<C extends Contracts> = {
  readonly [Name in keyof C]: ClientOf<C[Name]>
} & Pick<UpstreamConnections, 'ready' | typeof Symbol.asyncDispose>

type UrlsOf<C extends Contracts> = {
  readonly [Name in keyof C & string as `${Name}Url`]: string
}

export interface ConnectOptions<C extends Contracts> {
  /** With the address of each upstream: `tenantUrl`. */
  readonly config: ServiceAuthConfig & UrlsOf<C>
  readonly deps: UpstreamDeps
  /** The time limit of one call, retries included. */
  readonly timeoutsMs: { readonly [Name in keyof C]: number }
  /** Upstreams whose calls are not repeated; those of the others are, once. */
  readonly withoutRetry: readonly (keyof C)[]
}

export function connectUpstreams<C extends Contracts>(
  contracts: C,
  { config, deps, timeoutsMs, withoutRetry }: ConnectOptions<C>,
): ConnectedUpstreams<C> {
  const connections = createUpstreamConnections(config, deps)
  const urls: Readonly<Record<string, unknown>> = { ...config }
  const limits: Readonly<Record<string, number>> = timeoutsMs
  const clients = Object.entries(contracts).map(([name, contract]) => {
    const retries = withoutRetry.includes(name) ? 0 : 1
    const [baseUrl, timeoutMs] = [urls[`${name}Url`], limits[name]]
    if (typeof baseUrl !== 'string' || timeoutMs === undefined) throw new TypeError(name)
    return [name, connections.connect(contract, { baseUrl, timeoutMs, retries })]
  })
  return {
    ...Object.fromEntries(clients),
    ready: () => connections.ready(),
    [Symbol.asyncDispose]: () => connections[Symbol.asyncDispose](),
  }
}
