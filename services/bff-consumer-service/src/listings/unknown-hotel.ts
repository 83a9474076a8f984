import { type Problem, problem } from '@melmastoon/domain'

/** Withdrawn, suspended and invented hotels look alike (D18). */
export function unknownHotel(pointer = '/params/propertyId'): Problem {
  const error = { pointer, code: 'unknown', detail: 'is no hotel that can be shown' }
  return problem('MELMASTOON.PROPERTY.NOT_FOUND', { errors: [error] })
}
