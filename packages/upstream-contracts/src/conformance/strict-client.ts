import { newId, type TenantId } from '@melmastoon/domain'
import type { Contract, InputOf, Operation, Operations, OutputOf } from '../contract.ts'
import { BrokenPromise } from './check.ts'
import { closeResponse, findFault } from './validate-response.ts'
import { type Answer, type Query, sendTo, type Target } from './wire.ts'

interface Options {
  readonly tenantId?: TenantId
  /** The idempotency key; otherwise a new one. */
  readonly key?: string
}

type CallArguments<O> = O extends { tenantScoped: true }
  ? [call: Options & { tenantId: TenantId }]
  : [call?: Options]

/** As callers have it, but nothing is borne: not a member too many, not a byte of difference. */
export type StrictClient<O extends Operations> = {
  readonly [N in keyof O]: (
    input: InputOf<O[N]>,
    ...call: CallArguments<O[N]>
  ) => Promise<OutputOf<O[N]>>
}

export interface Witness {
  /** Told of every call, whether it went as promised. */
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
  witness: Witness,
): StrictClient<O> {
  const entries = Object.entries<Operation>(contract.operations).map(([name, operation]) => {
    const label = `${contract.upstream}.${name}`
    const call = async (input: AnyInput, options: Options = {}) => {
      try {
        const body = await exchange(target, { contract, operation, input, options })
        witness.onCall(label, null)
        return body
      } catch (error) {
        witness.onCall(label, error)
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
  const ask = {
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
  const answer = await sendTo(target, ask)
  const body = readAnswer(operation, answer)
  if (operation.idempotent) expectReplay(answer, await sendTo(target, ask))
  return body
}

function readAnswer(operation: Operation, { status, contentType, text }: Answer): unknown {
  if (status !== (operation.status ?? 200)) {
    throw new BrokenPromise(`${status} ${text.slice(0, 300)}`)
  }
  if (!contentType.startsWith('application/json')) throw new BrokenPromise(`as ${contentType}`)
  const body: unknown = JSON.parse(text)
  const fault = findFault(closeResponse(operation.response), body)
  if (fault !== null) throw new BrokenPromise(`an answer in which ${fault}`)
  return body
}

function expectReplay(first: Answer, again: Answer): void {
  if (again.status !== first.status || again.text !== first.text) {
    throw new BrokenPromise('another answer to the same key')
  }
  if (!again.isReplayed) throw new BrokenPromise('a repetition that does not say it is one')
}
