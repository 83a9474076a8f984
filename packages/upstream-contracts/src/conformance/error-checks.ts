import { isId, newId, PROBLEMS, type ProblemCode } from '@melmastoon/domain'
import type { Contract, Operation } from '../contract.ts'
import { type Check, ContractViolation } from './check.ts'
import { expectProblem } from './expect-problem.ts'
import { sampleOf } from './sample.ts'
import { type Query, sendTo, type Target, type TestRequest } from './wire.ts'

const INVALID: readonly ProblemCode[] = ['MELMASTOON.GENERAL.VALIDATION_FAILED']
const SURPLUS = 'notInTheContract'

interface Sampled {
  readonly request: TestRequest
  readonly tenantHeader: Record<string, string>
  readonly keyHeader: Record<string, string>
}

/** Checks that apply to every operation: errors have the agreed form. */
export function errorChecks(target: Target, contract: Contract, now: Date): Check[] {
  return Object.entries<Operation>(contract.operations).flatMap(([name, operation]) => {
    const make = (rule: string, request: TestRequest, codes: readonly ProblemCode[]): Check => ({
      name: `${contract.upstream}.${name} ${rule}`,
      run: async () => void expectProblem(await sendTo(target, request), codes),
    })
    const sampled = sampleRequest(contract, operation, now)
    const { request, tenantHeader, keyHeader } = sampled
    const isUnknown = operation.errorCodes.filter((code) => PROBLEMS[code].status === 404)
    return [
      make('rejects a caller without credentials', { ...request, isAnonymous: true }, [
        'MELMASTOON.GENERAL.UNAUTHENTICATED',
      ]),
      ...(operation.tenantScoped
        ? [
            make('rejects a call without a tenant', { ...request, headers: keyHeader }, [
              'MELMASTOON.TENANT.CONTEXT_REQUIRED',
            ]),
          ]
        : []),
      ...(operation.idempotent
        ? [
            make(
              'rejects a mutation without an idempotency key',
              { ...request, headers: tenantHeader },
              ['MELMASTOON.IDEMPOTENCY.KEY_MISSING'],
            ),
          ]
        : []),
      ...(operation.params && isUnknown.length > 0
        ? [make('returns 404 for an unknown id', request, isUnknown)]
        : []),
      ...(operation.body ? bodyChecks(target, `${contract.upstream}.${name}`, sampled) : []),
    ]
  })
}

function sampleRequest(contract: Contract, operation: Operation, now: Date): Sampled {
  const tenantId = newId('tnt')
  const params = operation.params && ownTenant(sampleOf(operation.params, now), tenantId)
  const query = operation.query && (sampleOf(operation.query, now) as Query)
  const tenantHeader: Record<string, string> = operation.tenantScoped
    ? { 'x-tenant-id': tenantId }
    : {}
  const keyHeader: Record<string, string> = operation.idempotent
    ? { 'idempotency-key': newId('req') }
    : {}
  const request: TestRequest = {
    contract,
    operation,
    ...(params && { params }),
    ...(query && { query }),
    ...(operation.body && { text: JSON.stringify(sampleOf(operation.body, now)) }),
    headers: { ...tenantHeader, ...keyHeader },
  }
  return { request, tenantHeader, keyHeader }
}

/** A tenant in the path is the tenant of the caller. */
function ownTenant(params: unknown, tenantId: string): Record<string, unknown> {
  const entries = Object.entries(params as Record<string, unknown>)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isId('tnt', value) ? tenantId : value]),
  )
}

function bodyChecks(target: Target, operation: string, { request }: Sampled): Check[] {
  const required = request.operation.body?.required ?? []
  const invalid = (text: string, pointers: readonly string[]) => async () => {
    const { errors = [] } = expectProblem(await sendTo(target, { ...request, text }), INVALID)
    const found = new Set(errors.map(({ pointer }) => pointer))
    const missing = pointers.filter((pointer) => !found.has(pointer))
    if (missing.length > 0) throw new ContractViolation(`no error points to ${missing.join(', ')}`)
  }
  const whole = JSON.parse(request.text ?? '{}') as Record<string, unknown>
  return [
    {
      name: `${operation} rejects a body that is not JSON`,
      async run() {
        const response = await sendTo(target, { ...request, text: '{"' })
        expectProblem(response, ['MELMASTOON.GENERAL.MALFORMED_BODY'])
      },
    },
    {
      name: `${operation} points to an unknown member`,
      run: invalid(JSON.stringify({ ...whole, [SURPLUS]: 1 }), [`/${SURPLUS}`]),
    },
    ...(required.length > 0
      ? [
          {
            name: `${operation} points to every missing member`,
            run: invalid(
              '{}',
              required.map((name) => `/${name}`),
            ),
          },
        ]
      : []),
  ]
}
