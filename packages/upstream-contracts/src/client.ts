import type { Deadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import type { Upstream } from '@melmastoon/chassis/upstream'
import type { CurrencyCode, Locale, TenantId } from '@melmastoon/domain'
import {
  type CalledService,
  type Contract,
  fillPath,
  type InputOf,
  type Operation,
  type Operations,
  type OutputOf,
} from './contract.ts'

interface CallBase {
  readonly deadline: Deadline
  readonly trace?: TraceContext
  readonly locale?: Locale
  readonly currency?: CurrencyCode
  /** Instead of the upstream's own number of retries. */
  readonly retries?: number
}

type Scope<O> = O extends { tenantScoped: true } ? { readonly tenantId: TenantId } : unknown
type Key<O> = O extends { idempotent: true } ? { readonly idempotencyKey: string } : unknown

/** Options of a call: an operation that needs a tenant or a key does not compile without. */
export type CallOf<O extends Operation> = CallBase & Scope<O> & Key<O>

export type UpstreamClient<O extends Operations> = {
  readonly [N in keyof O]: (input: InputOf<O[N]>, call: CallOf<O[N]>) => Promise<OutputOf<O[N]>>
}

interface AnyInput {
  params?: Record<string, unknown>
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
}

type AnyCall = CallBase & { tenantId?: TenantId; idempotencyKey?: string }

/**
 * One function per operation, over the connections, deadline, circuit breaker and response
 * validation of one upstream.
 */
export function createUpstreamClient<O extends Operations>(
  contract: Contract<O, CalledService>,
  upstream: Upstream,
): UpstreamClient<O> {
  const entries = Object.entries<Operation>(contract.operations).map(([name, operation]) => {
    const label = `${contract.upstream}.${name}`
    const call = async (input: AnyInput, options: AnyCall) => {
      const { deadline, trace, idempotencyKey, retries } = options
      const result = await upstream.call({
        operation: label,
        method: operation.method,
        path: contract.basePath + fillPath(operation.path, input.params ?? {}),
        schema: operation.response,
        deadline,
        headers: headersOf(options),
        ...(input.query && { query: input.query }),
        ...(operation.body && { body: input.body }),
        ...(operation.repeats && { repeats: operation.repeats }),
        ...(trace && { trace }),
        ...(idempotencyKey && { idempotencyKey }),
        ...(retries !== undefined && { retries }),
        // Every mutation requires a key (P7), so all other requests are safe to retry.
        readOnly: operation.idempotent !== true,
      })
      return result.value
    }
    return [name, call]
  })
  return Object.fromEntries(entries) as UpstreamClient<O>
}

function headersOf(call: AnyCall): Record<string, string> {
  const headers: Record<string, string> = {}
  if (call.tenantId) headers['x-tenant-id'] = call.tenantId
  if (call.locale) headers['accept-language'] = call.locale
  if (call.currency) headers['x-currency'] = call.currency
  return headers
}
