import type { Database } from '@melmastoon/chassis/db'
import { idToUuid } from '@melmastoon/domain'
import { WORK_ORDER_CATEGORIES } from '@melmastoon/upstream-contracts/maintenance'
import type { World, WorldProperty, WorldTenant } from '../../world/world.ts'
import { worldId } from '../../world/world-id.ts'
import { DEMO_ORDERS, type DemoOrder } from './demo-orders.ts'
import { findVacantRoom } from './find-vacant-room.ts'
import { closeSeededBlocks, type SeededOrder, seedWorkOrders } from './seed-sql.ts'

/** The work orders of the detailed hotels; a later day blocks other rooms. Idempotent. */
export async function seedMaintenance(db: Database, world: World): Promise<void> {
  const tenants = new Map(
    world.tenants.filter(({ isRich }) => isRich).map((tenant) => [tenant.tenantId, tenant]),
  )
  const rows = world.properties.flatMap((property) => {
    const tenant = tenants.get(property.tenantId)
    return tenant === undefined ? [] : planOrders(world, tenant, property)
  })
  await db.query(closeSeededBlocks(rows))
  await db.query(seedWorkOrders(rows))
}

function planOrders(world: World, tenant: WorldTenant, property: WorldProperty): SeededOrder[] {
  const { tenantId, propertyId } = property
  return DEMO_ORDERS.flatMap((order) => {
    const room = roomFor(world, property, order)
    if (order.place !== 'house' && room === undefined) return []
    const day = order.place === 'vacant_room' ? `:${world.anchorDate}` : ''
    const id = worldId('mnt', world.seed, `${propertyId}:${order.category}${day}`)
    return {
      tenant_id: idToUuid(tenantId),
      work_order_id: idToUuid(id),
      property_id: idToUuid(propertyId),
      room_id: room === undefined ? null : idToUuid(room.roomId),
      room_number: room?.number ?? null,
      category: order.category,
      severity: order.severity,
      status: order.status,
      title: order.title[tenant.defaultLocale],
      source: order.source,
      blocks_room: order.place === 'vacant_room',
      hours_ago: order.hoursAgo,
    }
  })
}

function roomFor(world: World, property: WorldProperty, { place, category }: DemoOrder) {
  if (place === 'house') return undefined
  if (place === 'vacant_room') return findVacantRoom(world, property)
  const rooms = property.roomTypes.flatMap((roomType) => roomType.rooms)
  return rooms[(WORK_ORDER_CATEGORIES.indexOf(category) * 3 + 1) % rooms.length]
}
