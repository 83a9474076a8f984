import { Type } from 'typebox'
import { defineContract } from '../contract.ts'
import { id } from '../schemas.ts'
import { PropertyChange, PropertyDetail, PropertySummary, Room } from './schemas.ts'

export {
  Amenity,
  BED_KINDS,
  Cancellation,
  HouseRule,
  IDENTITY_DOCUMENTS,
  PHOTO_CATEGORIES,
  Photo,
  Policies,
  PolicyDetails,
  PROPERTY_TYPES,
  PropertyChange,
  PropertyDetail,
  PropertySummary,
  REVIEW_ASPECTS,
  type Review,
  type ReviewAspect,
  Reviews,
  ROOM_KINDS,
  Room,
  RoomType,
  TRAVELLERS,
} from './schemas.ts'

const PropertyParams = Type.Object({ propertyId: id('ppt') })

export const propertyContract = defineContract({
  upstream: 'property',
  basePath: '/api/v1',
  operations: {
    getProperty: {
      method: 'GET',
      path: '/properties/:propertyId',
      summary: 'Get the public data of a hotel, in all languages',
      params: PropertyParams,
      response: PropertyDetail,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND'],
    },
    summaries: {
      method: 'POST',
      path: '/properties/summaries',
      summary:
        'Get summaries of up to a hundred hotels, in the requested order; unknown ones are omitted',
      body: Type.Object({ propertyIds: Type.Array(id('ppt'), { minItems: 1, maxItems: 100 }) }),
      response: Type.Object({ properties: Type.Array(PropertySummary, { maxItems: 100 }) }),
      errorCodes: [],
    },
    listByTenant: {
      method: 'GET',
      path: '/properties',
      summary: 'List the hotels of a tenant, oldest id first',
      query: Type.Object({
        /** The last hotel of the previous page. */
        cursor: Type.Optional(id('ppt')),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      }),
      response: Type.Object({
        properties: Type.Array(PropertySummary, { maxItems: 100 }),
        nextCursor: Type.Optional(id('ppt')),
      }),
      tenantScoped: true,
      errorCodes: [],
    },
    listRooms: {
      method: 'GET',
      path: '/properties/:propertyId/rooms',
      summary: 'List the rooms of a hotel by number',
      params: PropertyParams,
      response: Type.Object({ rooms: Type.Array(Room, { maxItems: 1_000 }) }),
      tenantScoped: true,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND'],
    },
    updateProperty: {
      method: 'PATCH',
      path: '/properties/:propertyId',
      summary: 'Change the public texts; every change creates a new version',
      params: PropertyParams,
      body: PropertyChange,
      response: PropertyDetail,
      tenantScoped: true,
      idempotent: true,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND', 'MELMASTOON.GENERAL.CONFLICT'],
    },
  },
})
