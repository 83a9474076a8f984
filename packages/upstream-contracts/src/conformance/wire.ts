import type { ServiceAuth } from '../auth/index.ts'
import { type Contract, fillPath, type Operation, type UpstreamName } from '../contract.ts'

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface TestRequest {
  readonly contract: Contract
  readonly operation: Operation
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Query
  /** Sent unchanged. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly isAnonymous?: boolean
}

export interface TestResponse {
  readonly status: number
  readonly contentType: string
  readonly text: string
  readonly isReplayed: boolean
}

const TIMEOUT_MS = 10_000

/** Sends one request and returns the response; throws only when the connection fails. */
export async function sendTo(target: Target, request: TestRequest): Promise<TestResponse> {
  const { contract, operation, text } = request
  const response = await fetch(urlOf(target, request), {
    method: operation.method,
    ...(text !== undefined && { body: text }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      accept: 'application/json',
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...(!request.isAnonymous && target.authOf(contract.upstream).headers()),
      ...request.headers,
    },
  })
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    text: await response.text(),
    isReplayed: response.headers.get('idempotent-replayed') === 'true',
  }
}

function urlOf(target: Target, { contract, operation, params = {}, query = {} }: TestRequest): URL {
  const base = target.baseUrlOf(contract.upstream).replace(/\/$/, '')
  const url = new URL(base + contract.basePath + fillPath(operation.path, params))
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

/** The URLs and credentials of the upstreams. */
export interface Target {
  /** Without the contract's own base path. */
  baseUrlOf(upstream: UpstreamName): string
  authOf(upstream: UpstreamName): ServiceAuth
}
