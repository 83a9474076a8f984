import { Type } from 'typebox'
import { defineContract } from '../contract.ts'
import { id } from '../schemas.ts'
import { PropertyChange, PropertyDetail, PropertySummary, Room } from './schemas.ts'

export {
  Amenity,
  BED_KINDS,
  Cancellation,
  HouseRule,
  Photo,
  Policies,
  PROPERTY_TYPES,
  PropertyChange,
  PropertyDetail,
  PropertySummary,
  ROOM_KINDS,
  Room,
  RoomType,
} from './schemas.ts'

const PropertyParams = Type.Object({ propertyId: id('ppt') })

export const propertyContract = defineContract({
  upstream: 'property',
  basePath: '/api/v1',
  operations: {
    getProperty: {
      method: 'GET',
      path: '/properties/:propertyId',
      summary: 'Everything guests may know of a hotel, in all languages',
      params: PropertyParams,
      response: PropertyDetail,
      refusals: ['MELMASTOON.PROPERTY.NOT_FOUND'],
    },
    summaries: {
      method: 'POST',
      path: '/properties/summaries',
      summary: 'Cards of up to a hundred hotels, in the order asked; unknown ones are left out',
      body: Type.Object({ propertyIds: Type.Array(id('ppt'), { minItems: 1, maxItems: 100 }) }),
      response: Type.Object({ properties: Type.Array(PropertySummary, { maxItems: 100 }) }),
      refusals: [],
    },
    listByTenant: {
      method: 'GET',
      path: '/properties',
      summary: 'The hotels of a tenant, oldest id first',
      query: Type.Object({
        /** The last hotel of the page before. */
        cursor: Type.Optional(id('ppt')),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      }),
      response: Type.Object({
        properties: Type.Array(PropertySummary, { maxItems: 100 }),
        nextCursor: Type.Optional(id('ppt')),
      }),
      tenantScoped: true,
      refusals: [],
    },
    listRooms: {
      method: 'GET',
      path: '/properties/:propertyId/rooms',
      summary: 'The rooms of a hotel by number',
      params: PropertyParams,
      response: Type.Object({ rooms: Type.Array(Room, { maxItems: 1_000 }) }),
      tenantScoped: true,
      refusals: ['MELMASTOON.PROPERTY.NOT_FOUND'],
    },
    updateProperty: {
      method: 'PATCH',
      path: '/properties/:propertyId',
      summary: 'Changes what guests read; every change is a new version',
      params: PropertyParams,
      body: PropertyChange,
      response: PropertyDetail,
      tenantScoped: true,
      idempotent: true,
      refusals: ['MELMASTOON.PROPERTY.NOT_FOUND', 'MELMASTOON.GENERAL.CONFLICT'],
    },
  },
})
