import { createDeadline } from '@melmastoon/chassis/clock'
import { newTrace } from '@melmastoon/chassis/telemetry'
import { newId, parseId } from '@melmastoon/domain'
import { type Backoffice, startWithSandbox } from '../harness/start-backoffice.ts'
import { type IntentDevice, intentDevice, type TestIntent } from './intent-device.ts'

export interface BoardTask {
  readonly taskId: string
  readonly status: string
  readonly version: number
}

/** What all cases of a test file use; set before the first of them. */
export const shared = {} as {
  office: Backoffice
  lead: IntentDevice
  manager: IntentDevice
  desk: IntentDevice
  propertyId: string
  folio: { readonly folioId: string; readonly currency: string }
  /** Rooms without guests. */
  vacant: readonly string[]
  createdTasks: number
}

export async function startShared(): Promise<void> {
  const office = await startWithSandbox({ withFaults: true })
  const [lead, manager, desk] = await Promise.all([
    intentDevice(office, 'housekeeping-lead'),
    intentDevice(office, 'manager'),
    intentDevice(office, 'desk'),
  ])
  Object.assign(shared, { office, lead, manager, desk, createdTasks: 0 })
  shared.propertyId = await desk.propertyId()
  const rooms = await rowsOf('housekeeping')
  shared.vacant = rooms.flatMap(({ id, occupancy }) => (occupancy === 'vacant' ? [String(id)] : []))
  const stays = await rowsOf('in-house')
  const { folioId, balance } = stays.find((row) => row['folioStatus'] === 'open') ?? {}
  const { currency } = balance as { readonly currency: string }
  shared.folio = { folioId: String(folioId), currency }
}

export async function rowsOf(board: string) {
  const path = `/${board}?propertyId=${shared.propertyId}`
  return (await shared.desk.read<{ rows: Record<string, unknown>[] }>(path)).body.rows
}

const KINDS = ['deep_clean', 'post_maintenance', 'post_renovation', 'mid_stay_clean'] as const

/** A task that no other test uses. */
export async function nextTask(): Promise<BoardTask> {
  const { office, manager, propertyId, vacant } = shared
  const { tenantId, operatorId, deviceId } = manager.tokens
  const kind = KINDS[shared.createdTasks % KINDS.length] ?? 'deep_clean'
  const roomId = vacant[Math.floor(shared.createdTasks / KINDS.length)]
  shared.createdTasks += 1
  using deadline = createDeadline(5_000)
  const body = { roomId: parseId('rmu', roomId), kind, actor: { operatorId, deviceId } }
  return await office.service.ctx.upstreams.housekeeping.createTask(
    { params: { propertyId: parseId('ppt', propertyId) }, body },
    { tenantId, deadline, trace: newTrace(), idempotencyKey: newId('req') },
  )
}

/** `$schema` is that of the service. */
export const query = <R extends object>(text: string, values: unknown[] = []) => {
  const { environment } = shared.office
  return environment.query<R>(text.replaceAll('$schema', environment.schema), values)
}

export const expecting = (version: number) => ({ expect: { version } })

export const start = (
  { taskId, version }: BoardTask,
  device = shared.lead,
  more: Partial<TestIntent> = {},
) => device.intent('task.start', taskId, { ...expecting(version), ...more })

export const complete = (
  taskId: string,
  version: number,
  device = shared.lead,
  more: Partial<TestIntent> = {},
) => device.intent('task.complete', taskId, { ...expecting(version), ...more })

export const chargeOf = (device: IntentDevice, amount = 700, more: Partial<TestIntent> = {}) =>
  device.intent('folio.post_charge', shared.folio.folioId, {
    expect: { currency: shared.folio.currency },
    args: { amount, category: 'minibar', description: 'Water' },
    ...more,
  })

/** How often the billing service has posted the charge of an intent. */
export async function chargesOf({ intentId }: TestIntent): Promise<number | undefined> {
  const { environment } = shared.office.sandbox
  const [row] = await environment.query<{ n: number }>(
    `select count(*)::int as n from ${environment.schema}.billing_charge
     where causation_id like $1`,
    [`${intentId}%`],
  )
  return row?.n
}

/** A day has passed for the upstreams. */
export async function forgetUpstreamKeys(): Promise<void> {
  const { environment } = shared.office.sandbox
  await environment.query(`delete from ${environment.schema}.idempotency`)
}
