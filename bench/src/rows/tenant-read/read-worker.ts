import { type Statement, sql } from '@melmastoon/chassis/db'
import { type TenantId, uuidToId } from '@melmastoon/domain'
import { exampleContext } from '../../harness/example-worker.ts'
import { measureWork } from '../../harness/measure-work.ts'
import { serveCommands } from '../../harness/serve-commands.ts'

interface Target {
  readonly tenant: string
  readonly note: string
}

interface Input {
  readonly kind: 'unscoped' | 'flight' | 'scoped-transaction' | 'transaction'
  readonly count: number
  readonly inFlight: number
  readonly targets: readonly Target[]
}

const { db } = exampleContext()

const readPlain = ({ tenant, note }: Target): Statement<unknown> => sql`
  select id, text, reservation_ref, created_at from plain_notes
  where tenant_id = ${tenant}::uuid and id = ${note}::uuid`
const readOwn = ({ note }: Target): Statement<unknown> => sql`
  select id, text, reservation_ref, created_at from notes where id = ${note}::uuid`
const setTenant = ({ tenant }: Target): Statement<unknown> => sql`
  select set_config('app.tenant_id', ${tenant}, true)`

const READS: Readonly<Record<Input['kind'], (target: Target) => Promise<unknown[]>>> = {
  unscoped: (target) => db.query(readPlain(target)),
  flight: (target) => db.tenantQuery(tenantIdOf(target), readOwn(target)),
  'scoped-transaction': (target) =>
    db.withTenant(tenantIdOf(target), (tx) => tx.query(readOwn(target))),
  transaction: (target) =>
    db.transaction(async (tx) => {
      await tx.query(setTenant(target))
      return await tx.query(readOwn(target))
    }),
}

const tenantIds = new Map<string, TenantId>()

function tenantIdOf({ tenant }: Target): TenantId {
  const known = tenantIds.get(tenant) ?? uuidToId('tnt', tenant)
  tenantIds.set(tenant, known)
  return known
}

function work({ kind, targets }: Input, index: number): Promise<void> {
  const target = targets[index % targets.length]
  if (target === undefined) throw new TypeError('nothing to read')
  return READS[kind](target).then((rows) => {
    if (rows.length !== 1) throw new Error(`${kind} read ${rows.length} rows`)
  })
}

const run = (input: Input, count: number) =>
  measureWork({ count, inFlight: input.inFlight, run: (index) => work(input, index) })

serveCommands({
  prepare: (input: Input) => run(input, Math.ceil(input.count / 10)),
  measure: (input: Input) => run(input, input.count),
})
