/** The stay of all examples: a hotel of the demo world, so that they work there. */
export const PROPERTY_ID = 'ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0'
export const ROOM_TYPE_ID = 'rmt_01JGFJJZ00W8RASN9J3M9GJ7X0'
export const STAY = {
  checkIn: '2027-05-20',
  checkOut: '2027-05-22',
}
export const OCCUPANCY = {
  adults: 2,
  children: 0,
  rooms: 1,
}
export const TOTAL = {
  amountMinor: 103319,
  currency: 'AED',
}
export const DIGEST = 'sha256:623976128b8e9339ed28e295d7bbeaa2a8055dbeee857bd7bb0c2e41178659eb'
export const QUOTE_ID = 'qte_01M7H3MABW89VYKV7A93W1P9A3'
export const DRAFT_ID = 'bdr_01M7H3MABVHXKJWYBB7YY52MY4'
export const RESERVATION_ID = 'rsv_01M7H3MADC6XM9J5NXD2VJ971D'
export const PAYMENT_INTENT_ID = 'pyi_01M7H3MANXJQ4YF5JXZZ6SJS01'
export const TENANT_ID = 'tnt_01JGFJJZ007BWH85T2P5075HP0'

export const CONFIRMATION_LINK =
  'https://creek-pearl.melmastoon.ghasi.io/confirmation/rsv_01M7H3MADC6XM9J5NXD2VJ971D?t=1.c1.1812020800.aaujblDznzKSrCHuQKBNFnR6U9JJMaH6bKHLiXJg_p8'

export const GUEST = {
  fullName: 'Zarghuna Anaa',
  email: 'zarghuna@example.com',
  phone: '+93 70 123 4567',
  termsAccepted: true,
}
