import type { LockVendor } from '@melmastoon/upstream-contracts/lock'
import { assaAbloy } from './assa-abloy.ts'
import { genericWiegand } from './generic-wiegand.ts'
import { salto } from './salto.ts'
import { ttlock } from './ttlock.ts'
import type { LockVendorSimulator } from './vendor.ts'

export const VENDORS: Readonly<Record<LockVendor, LockVendorSimulator>> = {
  ttlock,
  salto,
  'assa-abloy': assaAbloy,
  'generic-wiegand': genericWiegand,
}
