import { type Database, type Queryable, sql } from '@melmastoon/chassis/db'
import { idToUuid, type TenantId } from '@melmastoon/domain'
import fc from 'fast-check'
import { newTenants } from './fixture.ts'

/** Few tenants and few shared ids, so that operations conflict. */
const TENANTS = 4
const IDS = Array.from({ length: 6 }, (_, n) => `00000000-0000-4000-8000-00000000000${n}`)

type Way = 'flight' | 'transaction' | 'rolledBack'

export interface Operation {
  readonly tenant: number
  readonly id: number
  readonly verb: 'put' | 'rename' | 'remove' | 'get' | 'list'
  readonly way: Way
  readonly body: string
}

export function operations(length: number): fc.Arbitrary<Operation[]> {
  const operation = fc.record({
    tenant: fc.nat(TENANTS - 1),
    id: fc.nat(IDS.length - 1),
    verb: fc.constantFrom('put', 'rename', 'remove', 'get', 'list'),
    way: fc.constantFrom<Way>('flight', 'flight', 'transaction', 'rolledBack'),
    body: fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\0')),
  })
  return fc.array(operation, { minLength: length, maxLength: length })
}

class RolledBack extends Error {
  readonly result: Note[]

  constructor(result: Note[]) {
    super()
    this.result = result
  }
}

interface Note {
  readonly id: string
  readonly body: string
}

type Model = Map<string, string>

/** Runs one history on the database and on a Map per tenant; throws at the first difference. */
export async function checkHistory(db: Database, history: readonly Operation[]): Promise<void> {
  const tenants = newTenants(TENANTS)
  const models: Model[] = tenants.map(() => new Map())
  for (const [step, operation] of history.entries()) {
    const tenantId = tenants[operation.tenant]
    const model = models[operation.tenant]
    if (tenantId === undefined || model === undefined) throw new TypeError('no such tenant')
    const actual = await perform(db, tenantId, operation)
    const scratch = operation.way === 'rolledBack' ? new Map(model) : model
    const expected = performOnModel(scratch, operation)
    if (JSON.stringify(actual) !== JSON.stringify(expected)) {
      const difference = JSON.stringify({ step, operation, actual, expected })
      throw new Error(`database and model differ: ${difference}`)
    }
  }
}

async function perform(db: Database, tenantId: TenantId, operation: Operation): Promise<Note[]> {
  if (operation.way === 'flight') return send(db.scoped(tenantId), tenantId, operation)
  try {
    return await db.withTenant(tenantId, async (tx) => {
      const result = await send(tx, tenantId, operation)
      if (operation.way === 'rolledBack') throw new RolledBack(result)
      return result
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.result
    throw error
  }
}

/** Only `put` contains a tenant: for other statements the scope must select the rows. */
async function send(db: Queryable, tenantId: TenantId, operation: Operation): Promise<Note[]> {
  const id = IDS[operation.id]
  switch (operation.verb) {
    case 'put':
      return db.query(sql<Note>`
        insert into notes (tenant_id, id, body)
        values (${idToUuid(tenantId)}, ${id}, ${operation.body})
        on conflict (tenant_id, id) do update set body = excluded.body returning id, body`)
    case 'rename':
      return db.query(sql<Note>`
        update notes set body = ${operation.body} where id = ${id} returning id, body`)
    case 'remove':
      return db.query(sql<Note>`delete from notes where id = ${id} returning id, body`)
    case 'get':
      return db.query(sql<Note>`select id, body from notes where id = ${id}`)
    case 'list':
      return db.query(sql<Note>`select id, body from notes order by id`)
  }
}

function performOnModel(model: Model, operation: Operation): Note[] {
  const id = IDS[operation.id] ?? ''
  const before = model.get(id)
  switch (operation.verb) {
    case 'put':
      model.set(id, operation.body)
      return [{ id, body: operation.body }]
    case 'rename':
      if (before === undefined) return []
      model.set(id, operation.body)
      return [{ id, body: operation.body }]
    case 'remove':
      model.delete(id)
      return before === undefined ? [] : [{ id, body: before }]
    case 'get':
      return before === undefined ? [] : [{ id, body: before }]
    case 'list':
      return IDS.filter((each) => model.has(each)).map((each) => ({
        id: each,
        body: model.get(each) ?? '',
      }))
  }
}
