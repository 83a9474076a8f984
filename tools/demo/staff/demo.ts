import type { TimedSay } from '../shared/say.ts'

export interface StaffDemo extends TimedSay {
  readonly backofficeUrl: string
  /** What proofs name. */
  readonly publicUrl: string
  /** Also the address of iam. */
  readonly sandboxUrl: string
}
