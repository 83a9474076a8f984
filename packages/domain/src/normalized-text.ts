import { type FieldError, fieldError } from './problem.ts'

/** NFC, without outer white space, with every inner run of white space as one space. */
export function normalizeText(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ')
}

/**
 * Schemas limit the text as it was sent. Normalisation can make it longer: U+0958 has no composed
 * form in NFC, and lower-case `İ` has two code points. Counted in code points, as JSON Schema does.
 */
export function validateTextLength(
  normalized: string,
  lengthMax: number,
  pointer: string,
): FieldError[] {
  // Code units are never fewer than code points, so most texts need no counting.
  if (normalized.length <= lengthMax || Array.from(normalized).length <= lengthMax) return []
  const detail = `must have at most ${lengthMax} characters after Unicode normalisation`
  return [fieldError(pointer, 'maxLength', detail)]
}

/** The first characters, counted in code points, as Postgres does. */
export function truncateText(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : Array.from(text).slice(0, lengthMax).join('')
}
