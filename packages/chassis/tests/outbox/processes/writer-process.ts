/** Commits an effect with its event, or rolls both back, and crashes. */
import { createDatabase } from '../../../src/db/index.ts'
import { crashPoint } from '../../../src/lifecycle/index.ts'
import { appendEvents } from '../../../src/outbox/index.ts'
import { note, recordEffect, tenantId } from '../outbox-schema.ts'
import { readSettings, report } from './settings.ts'

const db = createDatabase({ url: readSettings().appUrl, poolMax: 1, onError: () => undefined })
const event = note('written', 0)
await db.withTenant(tenantId, async (tx) => {
  await recordEffect(tx, event.payload, event)
  await appendEvents(tx, [event])
  crashPoint('business.before_commit')
})
crashPoint('business.after_commit')
report('done')
