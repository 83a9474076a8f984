import type { Database } from '@melmastoon/chassis/db'
import { addDays, idToUuid, instantIn } from '@melmastoon/domain'
import type { Alert } from '@melmastoon/upstream-contracts/notification'
import type { World, WorldProperty, WorldStay } from '../../world/world.ts'
import { worldId } from '../../world/world-id.ts'
import { insertAlerts, type NewAlert } from './alert-sql.ts'
import { type DemoCategory, demoAlert } from './demo-alerts.ts'

const BATCH_ROWS = 500

type Subject = Pick<Alert, 'resourceKind' | 'resourceId'>

interface Planned {
  readonly category: DemoCategory
  readonly subject: Subject
  /** On the evening before, so that it is never in the future. */
  readonly time: string
}

/** The alerts of the last evening at the detailed hotels; a later day has its own. Idempotent. */
export async function seedNotification(db: Database, world: World): Promise<void> {
  const rich = new Set(world.tenants.filter(({ isRich }) => isRich).map(({ tenantId }) => tenantId))
  const stays = Map.groupBy(world.stays, ({ propertyId }) => propertyId)
  const rows = world.properties
    .filter(({ tenantId }) => rich.has(tenantId))
    .flatMap((property) => planRows(world, property, stays.get(property.propertyId) ?? []))
  for (let from = 0; from < rows.length; from += BATCH_ROWS) {
    await db.query(insertAlerts(rows.slice(from, from + BATCH_ROWS)))
  }
}

function planRows(
  { seed, anchorDate }: World,
  property: WorldProperty,
  stays: readonly WorldStay[],
): NewAlert[] {
  const { tenantId, propertyId, timeZone } = property
  return planAlerts(property, stays, anchorDate).map(({ category, subject, time }) => {
    const content = demoAlert(category, { propertyId, subject })
    return {
      tenant_id: idToUuid(tenantId),
      alert_id: idToUuid(worldId('alt', seed, `${propertyId}:${category}:${anchorDate}`)),
      property_id: idToUuid(propertyId),
      category,
      severity: content.severity,
      title: content.title,
      audience: content.audience,
      resource_kind: content.resourceKind,
      resource_id: content.resourceId,
      deduplication_key: `${category}:${content.resourceId}`,
      raised_by: null,
      causation_id: null,
      raised_at: instantIn(timeZone, addDays(anchorDate, -1), time),
    }
  })
}

function planAlerts(
  property: WorldProperty,
  stays: readonly WorldStay[],
  today: World['anchorDate'],
): Planned[] {
  const rooms = property.roomTypes.flatMap((roomType) => roomType.rooms)
  const arrival = stays.find(({ status, checkIn }) => status === 'confirmed' && checkIn === today)
  const leaving = stays.find(({ status, checkOut }) => status === 'in_house' && checkOut === today)
  const about = (stay: WorldStay | undefined): Subject[] =>
    stay === undefined ? [] : [{ resourceKind: 'reservation', resourceId: stay.reservationId }]
  const room = (index: number): Subject[] =>
    rooms
      .slice(index, index + 1)
      .map(({ roomId }) => ({ resourceKind: 'room', resourceId: roomId }))
  const plan = (category: DemoCategory, subjects: readonly Subject[], time: string): Planned[] =>
    subjects.map((subject) => ({ category, subject, time }))
  return [
    ...plan('late_arrival', about(arrival), '21:40'),
    ...plan('balance_due', about(leaving), '20:15'),
    ...plan('room_not_ready', room(1), '19:05'),
    ...plan('lock_low_battery', room(3), '16:30'),
  ]
}
