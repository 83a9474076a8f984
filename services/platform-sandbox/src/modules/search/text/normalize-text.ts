/**
 * Letters that Arabic, Persian, Pashto, Urdu and Kurdish keyboards write differently for the same
 * word. Marks are removed before this is applied, so a hamza or madda on its carrier needs no
 * entry.
 */
const FOLDED: Readonly<Record<string, string>> = {
  '\u064a': '\u06cc',
  '\u0649': '\u06cc',
  '\u06d0': '\u06cc',
  '\u06cd': '\u06cc',
  '\u06ce': '\u06cc',
  '\u06d2': '\u06cc',
  '\u0643': '\u06a9',
  '\u06aa': '\u06a9',
  '\u06ab': '\u06af',
  '\u0629': '\u0647',
  '\u06c1': '\u0647',
  '\u06be': '\u0647',
  '\u06d5': '\u0647',
  '\u06c3': '\u0647',
  '\u0671': '\u0627',
  '\u06ba': '\u0646',
  '\u06c6': '\u0648',
  '\u06c7': '\u0648',
  '\u06c8': '\u0648',
  '\u06cb': '\u0648',
  '\u0695': '\u0631',
  '\u06b5': '\u0644',
  '\u0131': 'i',
}

const FOLDABLE = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'gu')
/** Vowel signs and accents, tatweel, the hamza alone, joiners and direction marks, apostrophes. */
const INVISIBLE = /[\p{M}\p{Cf}\u0621\u0640'’‘`ʼʿʾ]/gu
const EASTERN_DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/gu
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/gu
const JOINER = /\u200c/gu

/** The normal form of texts that a reader considers equal, independent of the keyboard. */
export function normalizeText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(INVISIBLE, '')
    .toLowerCase()
    .replace(FOLDABLE, (letter) => FOLDED[letter] ?? letter)
    .replace(EASTERN_DIGIT, (digit) => String((digit.codePointAt(0) ?? 0) & 15))
    .replace(BETWEEN_WORDS, ' ')
    .trim()
}

export function wordsOf(text: string): string[] {
  const normal = normalizeText(text)
  return normal === '' ? [] : normal.split(' ')
}

/** Persian compounds are typed joined, with a zero-width joiner or with a space: all are found. */
export function spellingsOf(text: string): string[] {
  const apart = text.replace(JOINER, ' ')
  return apart === text ? [normalizeText(text)] : [normalizeText(text), normalizeText(apart)]
}

export function searchableWords(text: string): string[] {
  return spellingsOf(text).flatMap((spelling) => (spelling === '' ? [] : spelling.split(' ')))
}
