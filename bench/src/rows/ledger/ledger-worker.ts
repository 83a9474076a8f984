import { type BackofficeContext, backofficeService } from '@melmastoon/bff-backoffice-service'
import { sql } from '@melmastoon/chassis/db'
import { buildContext } from '@melmastoon/chassis/service'
import { idToUuid, newId } from '@melmastoon/domain'
import { measureWork } from '../../harness/measure-work.ts'
import { serveCommands } from '../../harness/serve-commands.ts'

export type LedgerKind = 'statement' | 'batched'

interface Input {
  readonly kind: LedgerKind
  readonly count: number
  readonly inFlight: number
}

type Activity = Parameters<BackofficeContext['ledger']['record']>[0]

const PLAIN_POOL = 8
const ctx = buildContext(backofficeService, backofficeService.config.read(process.env), {})
const plain = ctx.openDatabase('plain-ledger', ctx.config.ledgerUrl, PLAIN_POOL)
const tenants = Array.from({ length: 50 }, () => newId('tnt'))

function activityOf(index: number): Activity {
  return {
    tenantId: tenants[index % tenants.length] ?? newId('tnt'),
    propertyId: newId('ppt'),
    operatorId: newId('opr'),
    deviceId: newId('dev'),
    sessionId: newId('bos'),
    occurredAt: new Date(),
    category: 'desk',
    action: 'reservation.check_in',
    resourceKind: 'reservation',
    resourceId: newId('rsv'),
    outcome: 'success',
    latencyMs: 12,
    errorCode: null,
  }
}

/** One row per statement and commit, by the same role into the same table. */
function insertAlone(row: Activity): Promise<unknown> {
  return plain.query(sql`
    insert into operator_activity (id, tenant_id, property_id, operator_id, device_id, session_id,
      occurred_at, category, action, resource_kind, resource_id, outcome, latency_ms, error_code)
    values (${idToUuid(newId('act'))}::uuid, ${idToUuid(row.tenantId)}::uuid,
      ${row.propertyId === null ? null : idToUuid(row.propertyId)}::uuid, ${row.operatorId},
      ${row.deviceId}, ${row.sessionId}, ${row.occurredAt}, ${row.category}, ${row.action},
      ${row.resourceKind}, ${row.resourceId}, ${row.outcome}, ${row.latencyMs}, ${row.errorCode})`)
}

const INSERTS: Readonly<Record<LedgerKind, (row: Activity) => Promise<unknown>>> = {
  statement: insertAlone,
  batched: (row) => ctx.ledger.record(row),
}

let rows: Activity[] = []

const keepPartitions = () => ctx.relayDb.query(sql`select keep_activity_partitions(1) as made`)

serveCommands({
  async prepare({ count }: Input) {
    await keepPartitions()
    rows = Array.from({ length: count }, (_, index) => activityOf(index))
  },
  measure({ kind, count, inFlight }: Input) {
    const run = (index: number) => {
      const row = rows[index]
      if (row === undefined) throw new TypeError('not prepared')
      return INSERTS[kind](row)
    }
    return measureWork({ count, inFlight, run })
  },
  async countRows() {
    const [row] = await ctx.relayDb.query(
      sql<{ total: number }>`select count(*)::int as total from operator_activity`,
    )
    return row?.total ?? 0
  },
})
