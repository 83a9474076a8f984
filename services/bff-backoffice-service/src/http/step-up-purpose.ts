import { Type } from 'typebox'
import { STEP_UP_ACTIONS } from '../access/step-up.ts'

/** What an operator confirms with a second factor. */
export const stepUpPurpose = {
  action: Type.Enum([...STEP_UP_ACTIONS], {
    description: 'As `stepUp` of 403 `STEP_UP_REQUIRED` names it',
  }),
  resourceKind: Type.Enum(['reservation', 'folio'], {
    description: '`reservation` for `lock.revoke`, `folio` for `folio.charge`',
  }),
  resourceId: Type.String({ minLength: 1, maxLength: 64 }),
}
