import type { PropertyId, RoomId, TenantId } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import { type PropertyDetail, propertyContract } from '@melmastoon/upstream-contracts/property'
import type { PhotoId } from '../../drawings/photo-id.ts'
import type { ModuleHost, ServedModule } from '../../module.ts'
import { type DrawnPhoto, findLogo, findPhoto } from './find-drawn.ts'
import { findRoom, type PlacedRoom, readHotel } from './find-room.ts'
import type { PropertyOperations } from './house.ts'
import { listProperties, summarizeProperties } from './list-properties.ts'
import { listRooms } from './list-rooms.ts'
import { findProperty, readProperty } from './read-property.ts'
import { updateProperty } from './update-property.ts'

export type { PlacedRoom } from './find-room.ts'
export { type FloorPlan, type HotelRoom, readFloorPlan } from './read-floor-plan.ts'

interface HotelRef {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

export interface PropertyModule extends ServedModule<PropertyOperations> {
  findProperty(propertyId: PropertyId): Promise<PropertyDetail | null>
  /** Throws `PROPERTY.NOT_FOUND` for a property of another tenant. */
  roomIdsOf(tenantId: TenantId, propertyId: PropertyId): Promise<ReadonlySet<RoomId>>
  /** Throws `PROPERTY.NOT_FOUND`, also for the hotel of another tenant. */
  readHotel(ref: HotelRef): Promise<{ timeZone: string }>
  /** By floor and number. Throws `PROPERTY.NOT_FOUND`. */
  listRooms(ref: HotelRef): Promise<OutputOf<PropertyOperations['listRooms']>>
  /** Null for a room of another tenant. */
  findRoom(ref: { tenantId: TenantId; roomId: RoomId }): Promise<PlacedRoom | null>
  findPhoto(photoId: PhotoId): Promise<DrawnPhoto | null>
  findLogo(tenantId: TenantId): Promise<{ hue: number; letter: string } | null>
}

/** Public data of houses: texts, photos, policies, room types; and their rooms, for staff. */
export function createPropertyModule(host: ModuleHost): PropertyModule {
  const { db } = host
  const reader = { db, publicUrl: host.config.publicUrl }
  return {
    contract: propertyContract,
    findProperty: (propertyId) => findProperty(reader, propertyId),
    async roomIdsOf(tenantId, propertyId) {
      const { rooms } = await listRooms(db, { tenantId, propertyId })
      return new Set(rooms.map(({ roomId }) => roomId))
    },
    readHotel: (ref) => readHotel(db, ref),
    listRooms: (ref) => listRooms(db, ref),
    findRoom: (ref) => findRoom(db, ref),
    findPhoto: (photoId) => findPhoto(db, photoId),
    findLogo: (tenantId) => findLogo(db, tenantId),
    handlers: {
      getProperty: ({ params }) => readProperty(reader, params.propertyId),
      summaries: ({ body }) => summarizeProperties(reader, body.propertyIds),
      listByTenant: ({ query }, { tenantId }) => listProperties(reader, { ...query, tenantId }),
      listRooms: ({ params }, { tenantId }) => listRooms(db, { ...params, tenantId }),
      updateProperty: (input, call) => updateProperty(host, input, call),
    },
  }
}
