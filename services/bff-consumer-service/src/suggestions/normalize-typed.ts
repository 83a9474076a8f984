import { problem } from '@melmastoon/domain'

const TYPED_MAX = 80

/**
 * White space, case and the way a letter is composed name no other place. What cannot be typed
 * counts as white space.
 * @throws Problem VALIDATION_FAILED for nothing, and for more than any name has.
 */
export function normalizeTyped(q: string): string {
  const typed = q
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .toLowerCase()
  if (typed === '') throw refuse('blank', 'names nothing')
  if (typed.length > TYPED_MAX) throw refuse('maxLength', 'is longer than any name')
  return typed
}

function refuse(code: string, detail: string) {
  const errors = [{ pointer: '/query/q', code, detail }]
  return problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}
