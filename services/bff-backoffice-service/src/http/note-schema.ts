import { Type } from 'typebox'

/** Without the null character, which Postgres cannot store. */
export const Note = Type.String({
  maxLength: 1_000,
  pattern: '^[^\\u0000]*$',
  description: 'The first 200 characters are stored',
})
