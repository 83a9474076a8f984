import { text } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'

/** For this request only. Unsupported values have error codes of their own. */
export const PREFERENCE_QUERY = {
  locale: Type.Optional(text(35)),
  currency: Type.Optional(text(8)),
}
