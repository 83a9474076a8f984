import type { Database, Statement } from '@melmastoon/chassis/db'
import type { IdempotencyStore } from '@melmastoon/chassis/idempotency'

const CLAIM = /^\s*with claimed as \(\s*insert into \S+ as i \(/
const COMPLETE = /^\s*with claimed as \(update [\s\S]*?returning 1/
const ABANDON = /^\s*update \S+ i set lease_until/
/** Of the completing update: status, response, tenant, key, attempt, generation. */
const PARAMETERS = 6
const UNUSED =
  'with claimed as (select 1 from (select $1::int, $2::text, $3::text, $4::text, $5::int, $6::text) unused'
const CLAIMED = {
  claimed: true,
  attempt: 1,
  generation: '-infinity',
  recovery_point: 'started',
  recovery_data: {},
}

/**
 * A control: the same route without the work of its key. Nothing is claimed, and no response is
 * sealed or stored; effects and events are written by the same statement. Never for a product:
 * a repeated request is executed again.
 */
export function withoutKeys(store: IdempotencyStore): IdempotencyStore {
  const { db, records } = store
  const scoped: Database['scoped'] = (...scope) => {
    const real = db.scoped(...scope)
    return { ...real, query: (statement) => withoutKey(statement, (left) => real.query(left)) }
  }
  return {
    ...store,
    shortcut: null,
    records: { ...records, seal: () => ({ sealed: '' }) },
    db: Object.create(db, { scoped: { value: scoped } }) as Database,
  }
}

async function withoutKey<R>(
  statement: Statement<R>,
  run: (left: Statement<R>) => Promise<R[]>,
): Promise<R[]> {
  const { text, values } = statement
  if (CLAIM.test(text)) return [CLAIMED as R]
  if (ABANDON.test(text)) return []
  // A mutation without an upstream call is one statement, with its key or without.
  if (!COMPLETE.test(text)) return await run(statement)
  const left = text.replace(COMPLETE, UNUSED)
  // Neither an effect nor an event: only the key would be written.
  if (left === `${UNUSED}) select 1 from claimed`) return [{} as R]
  const rest = values.slice(PARAMETERS)
  return await run({ text: left, values: [...Array(PARAMETERS).fill(null), ...rest] })
}
