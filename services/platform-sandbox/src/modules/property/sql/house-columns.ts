import { rawSql } from '@melmastoon/chassis/db'

/** A whole `HouseRow` of the table under the name `h`. */
export const houseColumns = rawSql(`
  h.property_id, h.tenant_id, h.slug, h.version, h.name, h.description, h.address, h.lat, h.lng,
  h.time_zone, h.property_type, h.star_rating, h.guest_rating, h.amenity_codes,
  h.sharia_compliant, h.opened_on, h.policies, h.photo_count, h.room_count, h.updated_at`)
