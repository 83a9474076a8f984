import { isId, newId, PROBLEMS, type ProblemCode } from '@melmastoon/domain'
import type { Contract, Operation } from '../contract.ts'
import { BrokenPromise, type Check } from './check.ts'
import { expectProblem } from './expect-problem.ts'
import { sampleOf } from './sample.ts'
import { type Ask, type Query, sendTo, type Target } from './wire.ts'

const INVALID: readonly ProblemCode[] = ['MELMASTOON.GENERAL.VALIDATION_FAILED']
const SURPLUS = 'notInTheContract'

interface Sampled {
  readonly ask: Ask
  readonly tenantHeader: Record<string, string>
  readonly keyHeader: Record<string, string>
}

/** What every operation owes, whatever it does: to say no in the agreed way. */
export function refusalChecks(target: Target, contract: Contract, now: Date): Check[] {
  return Object.entries<Operation>(contract.operations).flatMap(([name, operation]) => {
    const make = (rule: string, ask: Ask, codes: readonly ProblemCode[]): Check => ({
      name: `${contract.upstream}.${name} ${rule}`,
      run: async () => void expectProblem(await sendTo(target, ask), codes),
    })
    const sampled = sampleAsk(contract, operation, now)
    const { ask, tenantHeader, keyHeader } = sampled
    const isUnknown = operation.refusals.filter((code) => PROBLEMS[code].status === 404)
    return [
      make('refuses a caller without credentials', { ...ask, isAnonymous: true }, [
        'MELMASTOON.GENERAL.UNAUTHENTICATED',
      ]),
      ...(operation.tenantScoped
        ? [
            make('refuses to work for no tenant', { ...ask, headers: keyHeader }, [
              'MELMASTOON.TENANT.CONTEXT_REQUIRED',
            ]),
          ]
        : []),
      ...(operation.idempotent
        ? [
            make('refuses to change something without a key', { ...ask, headers: tenantHeader }, [
              'MELMASTOON.IDEMPOTENCY.KEY_MISSING',
            ]),
          ]
        : []),
      ...(operation.params && isUnknown.length > 0
        ? [make('does not find what does not exist', ask, isUnknown)]
        : []),
      ...(operation.body ? bodyChecks(target, `${contract.upstream}.${name}`, sampled) : []),
    ]
  })
}

function sampleAsk(contract: Contract, operation: Operation, now: Date): Sampled {
  const tenantId = newId('tnt')
  const params = operation.params && ownTenant(sampleOf(operation.params, now), tenantId)
  const query = operation.query && (sampleOf(operation.query, now) as Query)
  const tenantHeader: Record<string, string> = operation.tenantScoped
    ? { 'x-tenant-id': tenantId }
    : {}
  const keyHeader: Record<string, string> = operation.idempotent
    ? { 'idempotency-key': newId('req') }
    : {}
  const ask: Ask = {
    contract,
    operation,
    ...(params && { params }),
    ...(query && { query }),
    ...(operation.body && { text: JSON.stringify(sampleOf(operation.body, now)) }),
    headers: { ...tenantHeader, ...keyHeader },
  }
  return { ask, tenantHeader, keyHeader }
}

/** A tenant in the address is the one the caller works for; otherwise it is another's thing. */
function ownTenant(params: unknown, tenantId: string): Record<string, unknown> {
  const entries = Object.entries(params as Record<string, unknown>)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isId('tnt', value) ? tenantId : value]),
  )
}

function bodyChecks(target: Target, operation: string, { ask }: Sampled): Check[] {
  const required = ask.operation.body?.required ?? []
  const invalid = (text: string, pointers: readonly string[]) => async () => {
    const { errors = [] } = expectProblem(await sendTo(target, { ...ask, text }), INVALID)
    const found = new Set(errors.map(({ pointer }) => pointer))
    const missing = pointers.filter((pointer) => !found.has(pointer))
    if (missing.length > 0) throw new BrokenPromise(`no error points to ${missing.join(', ')}`)
  }
  const whole = JSON.parse(ask.text ?? '{}') as Record<string, unknown>
  return [
    {
      name: `${operation} refuses what is not JSON`,
      async run() {
        const answer = await sendTo(target, { ...ask, text: '{"' })
        expectProblem(answer, ['MELMASTOON.GENERAL.MALFORMED_BODY'])
      },
    },
    {
      name: `${operation} points to a member it does not know`,
      run: invalid(JSON.stringify({ ...whole, [SURPLUS]: 1 }), [`/${SURPLUS}`]),
    },
    ...(required.length > 0
      ? [
          {
            name: `${operation} points to every member that is missing`,
            run: invalid(
              '{}',
              required.map((name) => `/${name}`),
            ),
          },
        ]
      : []),
  ]
}
