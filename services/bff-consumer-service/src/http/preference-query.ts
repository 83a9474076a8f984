import { HotelQuery } from '../hotels/hotel-query.ts'

const { locale, currency } = HotelQuery.properties

/** For this request only, as for a hotel. */
export const PREFERENCE_QUERY = { locale, currency }
