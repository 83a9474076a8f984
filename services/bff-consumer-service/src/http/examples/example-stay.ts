/** The stay of all examples: a hotel of the demo world, so that they work there. */
export const PROPERTY_ID = 'ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0'
export const STAY = { checkIn: '2027-05-20', checkOut: '2027-05-22' }
export const OCCUPANCY = { adults: 2, children: 0, rooms: 1 }
export const PREFERENCES = { locale: 'en', currency: 'AED' }
