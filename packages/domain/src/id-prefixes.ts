/**
 * The one registry of id prefixes (P1, D2): prefix → the thing it names. A prefix is never given to
 * a second thing. `tnt` is the tenant; a booking session therefore has the longer `tnt_session`.
 */
export const ID_PREFIXES = {
  evt: 'event',
  req: 'request',
  tnt: 'tenant',
  tnt_session: 'booking session',
  ppt: 'property',
  rmt: 'room type',
  rmu: 'room',
  rate: 'rate plan',
  rsv: 'reservation',
  qte: 'price quote',
  pyi: 'payment intent',
  gst: 'guest',
  dev: 'device',
  key: 'room key',
  opr: 'operator',
  gms: 'guest session',
  srs: 'search session',
  wsh: 'wishlist entry',
  bhd: 'booking handoff',
  mpv: 'page view',
  cfe: 'funnel event',
  bdr: 'booking draft',
  bha: 'handoff arrival',
  bds: 'draft snapshot',
  bos: 'back-office session',
  dsh: 'dashboard snapshot',
  wbv: 'workbench view',
  aim: 'AI inbox entry',
  ali: 'alert inbox entry',
  act: 'operator activity',
  dsy: 'device sync status',
  oaq: 'offline action hint',
  lap: 'lock action',
  mfa: 'MFA attestation',
  sdl: 'suggestion decision',
} as const

export type IdPrefix = keyof typeof ID_PREFIXES
