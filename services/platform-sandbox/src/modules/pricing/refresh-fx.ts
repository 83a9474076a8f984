import type { Queryable } from '@melmastoon/chassis/db'
import { idToUuid, newId } from '@melmastoon/domain'
import { demoRates, FX_BASE } from './fx-reference.ts'
import { insertFxSnapshot, readHour } from './fx-sql.ts'

const SOURCE = 'sandbox-central-bank'
/** The job runs hourly; a second run, or a seeding in between, adds nothing. */
const NOT_WITHIN_MINUTES = 30

/** Whether new exchange rates were inserted. */
export async function refreshFx(db: Queryable): Promise<boolean> {
  const [row] = await db.query(readHour())
  if (row === undefined) throw new TypeError('the database has no clock')
  const rates = Object.entries(demoRates(row.hour)).map(([code, rate]) => [code, String(rate)])
  const inserted = await db.query(
    insertFxSnapshot({
      id: idToUuid(newId('fxs')),
      base: FX_BASE,
      rates: Object.fromEntries(rates) as Record<string, string>,
      source: SOURCE,
      notWithinMinutes: NOT_WITHIN_MINUTES,
    }),
  )
  return inserted.length > 0
}
