import { fieldError, isId, type PropertyId, problem } from '@melmastoon/domain'
import { COMPARED_MAX } from './comparison.ts'

const AT = '/query/ids'

/**
 * Ids of hotels, divided by commas.
 * @throws Problem VALIDATION_FAILED for anything but one to three different ones.
 */
export function readIds(text: string): PropertyId[] {
  const ids = text.split(',')
  if (!ids.every((id) => isId('ppt', id))) throw refusal('id', 'names something else than hotels')
  if (ids.length > COMPARED_MAX) throw refusal('count', `names more than ${COMPARED_MAX} hotels`)
  if (new Set(ids).size < ids.length) throw refusal('unique', 'names a hotel twice')
  return ids
}

function refusal(code: string, detail: string) {
  return problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors: [fieldError(AT, code, detail)] })
}
