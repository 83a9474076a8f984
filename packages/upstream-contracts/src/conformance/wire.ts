import type { ServiceAuth } from '../auth/index.ts'
import { type Contract, fillPath, type Operation, type UpstreamName } from '../contract.ts'

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface Ask {
  readonly contract: Contract
  readonly operation: Operation
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Query
  /** Sent as it is. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly isAnonymous?: boolean
}

export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly text: string
  readonly isReplayed: boolean
}

const TIMEOUT_MS = 10_000

/** One request and whatever comes back; only a connection that fails throws. */
export async function sendTo(target: Target, ask: Ask): Promise<Answer> {
  const { contract, operation, text } = ask
  const response = await fetch(urlOf(target, ask), {
    method: operation.method,
    ...(text !== undefined && { body: text }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      accept: 'application/json',
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...(!ask.isAnonymous && target.authOf(contract.upstream).headers()),
      ...ask.headers,
    },
  })
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    text: await response.text(),
    isReplayed: response.headers.get('idempotent-replayed') === 'true',
  }
}

function urlOf(target: Target, { contract, operation, params = {}, query = {} }: Ask): URL {
  const base = target.baseUrlOf(contract.upstream).replace(/\/$/, '')
  const url = new URL(base + contract.basePath + fillPath(operation.path, params))
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

/** Where the upstreams are, and how to be let in. */
export interface Target {
  /** Without the contract's own base path. */
  baseUrlOf(upstream: UpstreamName): string
  authOf(upstream: UpstreamName): ServiceAuth
}
