import { newId, type TenantId } from '@melmastoon/domain'
import type { Contract, InputOf, Operation, Operations, OutputOf } from '../contract.ts'
import { ContractViolation } from './check.ts'
import { closeResponse, findSchemaError } from './validate-response.ts'
import { type Query, sendTo, type Target, type TestResponse } from './wire.ts'

interface Options {
  readonly tenantId?: TenantId
  /** The idempotency key; otherwise a new one. */
  readonly key?: string
}

type CallArguments<O> = O extends { tenantScoped: true }
  ? [call: Options & { tenantId: TenantId }]
  : [call?: Options]

/**
 * Like the client of callers, but stricter: no additional member and no differing byte is
 * tolerated.
 */
export type StrictClient<O extends Operations> = {
  readonly [N in keyof O]: (
    input: InputOf<O[N]>,
    ...call: CallArguments<O[N]>
  ) => Promise<OutputOf<O[N]>>
}

export interface CallObserver {
  /** Called after every call, with the error if it failed. */
  onCall(operation: string, failure: unknown): void
}

interface AnyInput {
  readonly params?: Record<string, unknown>
  readonly query?: Query
  readonly body?: unknown
}

export function createStrictClient<O extends Operations>(
  contract: Contract<O>,
  target: Target,
  observer: CallObserver,
): StrictClient<O> {
  const entries = Object.entries<Operation>(contract.operations).map(([name, operation]) => {
    const label = `${contract.upstream}.${name}`
    const call = async (input: AnyInput, options: Options = {}) => {
      try {
        const body = await exchange(target, { contract, operation, input, options })
        observer.onCall(label, null)
        return body
      } catch (error) {
        observer.onCall(label, error)
        throw error
      }
    }
    return [name, call]
  })
  return Object.fromEntries(entries) as StrictClient<O>
}

interface Exchange {
  readonly contract: Contract
  readonly operation: Operation
  readonly input: AnyInput
  readonly options: Options
}

async function exchange(target: Target, { contract, operation, input, options }: Exchange) {
  const { tenantId, key = newId('req') } = options
  const request = {
    contract,
    operation,
    ...(input.params && { params: input.params }),
    ...(input.query && { query: input.query }),
    ...(operation.body && { text: JSON.stringify(input.body) }),
    headers: {
      ...(tenantId && { 'x-tenant-id': tenantId }),
      ...(operation.idempotent && { 'idempotency-key': key }),
    },
  }
  const response = await sendTo(target, request)
  const body = readResponse(operation, response)
  if (operation.idempotent) expectReplay(response, await sendTo(target, request))
  return body
}

function readResponse(operation: Operation, { status, contentType, text }: TestResponse): unknown {
  if (status !== (operation.status ?? 200)) {
    throw new ContractViolation(`${status} ${text.slice(0, 300)}`)
  }
  if (!contentType.startsWith('application/json'))
    throw new ContractViolation(`unexpected content type ${contentType}`)
  const body: unknown = JSON.parse(text)
  const fault = findSchemaError(closeResponse(operation.response), body)
  if (fault !== null) throw new ContractViolation(`invalid response: ${fault}`)
  return body
}

function expectReplay(first: TestResponse, again: TestResponse): void {
  if (again.status !== first.status || again.text !== first.text) {
    throw new ContractViolation('a different response to the same idempotency key')
  }
  if (!again.isReplayed)
    throw new ContractViolation('a replayed response without the Idempotent-Replayed header')
}
