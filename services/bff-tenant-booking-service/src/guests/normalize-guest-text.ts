import { normalizeText } from '@melmastoon/domain'

/**
 * Directional marks that texts copied from right-to-left pages begin or end with. They are
 * invisible and have no meaning in a name, address or number: removed, not rejected.
 */
const DIRECTION_MARKS = /[\u061c\u200e\u200f]/g
/** Embeddings, overrides and isolates change how everything after them is displayed. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/
/** The same, where the text consists of digits or Latin letters only. */
const ALL_DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** The limits of `ReservationGuest` of the reservation service. */
const NAME_MAX = 120
export const REQUESTS_MAX = 1_000
/**
 * Letters, marks and digits of every script; the joiners of Persian and Indic scripts; apostrophes,
 * hyphens and dots. No signs of links, markup or e-mail addresses: names are printed and mailed.
 */
const NAME = /^[\p{L}\p{M}\p{Nd}\p{Join_Control} '\u2018\u2019`´.,·・׳״\-\u2010\u2011()]+$/u
/** Some code points without an appearance count as letters, for example U+3164. */
const VISIBLE_LETTER = /[\p{L}--\p{Default_Ignorable_Code_Point}]/v
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}--[\p{Join_Control}\p{Variation_Selector}]]/v
/** Tibetan and vocalised Arabic need up to four marks on one letter. */
const MARKS = /^\p{M}|\p{M}{6}/u
/** A line break is the only control character of a text. */
const CONTROLS = /[\p{Cc}--\n]/v

/** The normalised text, or a machine-readable reason why it is invalid. */
export type Normalized = { readonly value: string } | { readonly error: string }

/** One line of free text. */
export function normalizeLine(text: string): Normalized {
  if (!text.isWellFormed()) return { error: 'characters' }
  if (DIRECTION_CONTROLS.test(text)) return { error: 'direction_control' }
  const value = normalizeText(text.replaceAll(DIRECTION_MARKS, ''))
  if (value === '') return { error: 'required' }
  if (isLonger(value, NAME_MAX)) return { error: 'too_long' }
  return CONTROLS.test(value) || INVISIBLE.test(value) ? { error: 'characters' } : { value }
}

export function normalizeName(text: string): Normalized {
  const line = normalizeLine(text)
  if ('error' in line) return line
  const { value } = line
  if (!NAME.test(value) || MARKS.test(value)) return { error: 'characters' }
  return VISIBLE_LETTER.test(value) ? line : { error: 'no_letter' }
}

/** Several lines; runs of spaces and empty lines are shortened. */
export function normalizeRequests(text: string): Normalized {
  if (!text.isWellFormed()) return { error: 'characters' }
  if (DIRECTION_CONTROLS.test(text)) return { error: 'direction_control' }
  const lines = text.normalize('NFC').replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
  const value = lines
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  if (CONTROLS.test(value)) return { error: 'characters' }
  return isLonger(value, REQUESTS_MAX) ? { error: 'too_long' } : { value }
}

/** Removes invisible marks from a text that consists of digits or Latin letters. */
export function withoutDirection(text: string): string {
  return text.replaceAll(ALL_DIRECTION, '').trim()
}

/** Arabic-Indic, Persian and every other decimal digit as ASCII; full-width signs too (NFKC). */
export function asciiDigits(text: string): string {
  return text.normalize('NFKC').replaceAll(/\p{Nd}/gu, (digit) => String(digitValue(digit)))
}

/** After NFKC, every block of decimal digits is ten code points between others, zero first. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return code - zero
}

/** In code points, as JSON Schema counts. */
export function isLonger(text: string, lengthMax: number): boolean {
  return text.length > lengthMax && Array.from(text).length > lengthMax
}
