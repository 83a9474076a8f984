/**
 * The sounds of a name in a small alphabet, so that its spellings in Latin, Arabic and Cyrillic
 * letters can be compared. Romanizations of one letter become one sound (`q`, `k`, `c`: `k`), the
 * transcriptions of German, French, Dutch, Polish, Turkish and Russian included. Vowels have three
 * classes: `a`, `i` (with e, y) and `u` (with o). Sounds:
 *
 *     a i u   b p t d k g x (kh) h j c (ch) s S (sh) z f w l m n r
 */
export const SOUNDS = 'aiubptdkgxhjcsSzfwlmnr'

/** Longest first: `dsch` is one sound, and so are the Arabic and Russian `ch` and `j`. */
const GROUPS: readonly (readonly [string, string])[] = [
  ['dsch', 'j'],
  ['tsch', 'c'],
  ['dzh', 'j'],
  ['tsj', 'c'],
  ['sch', 'S'],
  ['tch', 'c'],
  ['ch', 'c'],
  ['cs', 'c'],
  ['cz', 'c'],
  ['tx', 'c'],
  ['dj', 'j'],
  ['dz', 'j'],
  ['sh', 'S'],
  ['sz', 'S'],
  ['zh', 'z'],
  ['kh', 'x'],
  ['gh', 'g'],
  ['ph', 'f'],
  ['th', 't'],
  ['dh', 'd'],
  ['bh', 'b'],
  ['ck', 'k'],
  ['qu', 'k'],
  ['ou', 'u'],
  ['oo', 'u'],
  ['oe', 'u'],
  ['ue', 'u'],
  ['ee', 'i'],
  ['تش', 'c'],
  ['дж', 'j'],
  ['дз', 'j'],
]

const GROUPS_BY_LETTER = Map.groupBy(GROUPS, ([letters]) => letters.charAt(0))

const LATIN: Readonly<Record<string, string>> = {
  ...asThemselves('abptdkgxhjszfwlmnriu'),
  c: 'k',
  e: 'i',
  o: 'u',
  q: 'k',
  v: 'w',
  y: 'i',
  æ: 'a',
  ø: 'u',
  ð: 'd',
  þ: 't',
  ß: 's',
  ə: 'a',
  ł: 'l',
}

/** After `normalizeText`. Silent carriers and ain have no sound. */
const ARABIC: Readonly<Record<string, string>> = {
  ا: 'a',
  ب: 'b',
  پ: 'p',
  ت: 't',
  ٹ: 't',
  ټ: 't',
  ط: 't',
  ث: 's',
  س: 's',
  ص: 's',
  ج: 'j',
  چ: 'c',
  څ: 's',
  ځ: 'z',
  ح: 'h',
  ه: 'h',
  خ: 'x',
  د: 'd',
  ڈ: 'd',
  ډ: 'd',
  ذ: 'z',
  ز: 'z',
  ض: 'z',
  ظ: 'z',
  ژ: 'z',
  ږ: 'z',
  ر: 'r',
  ړ: 'r',
  ڑ: 'r',
  ش: 'S',
  ښ: 'S',
  ع: '',
  غ: 'g',
  ف: 'f',
  ق: 'k',
  ک: 'k',
  گ: 'g',
  ل: 'l',
  م: 'm',
  ن: 'n',
  ں: 'n',
  ڼ: 'n',
  و: 'w',
  ی: 'i',
  ے: 'i',
}

const CYRILLIC: Readonly<Record<string, string>> = {
  а: 'a',
  б: 'b',
  в: 'w',
  г: 'g',
  ғ: 'g',
  д: 'd',
  е: 'i',
  ж: 'z',
  з: 'z',
  и: 'i',
  і: 'i',
  к: 'k',
  қ: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  ң: 'n',
  о: 'u',
  ө: 'u',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ү: 'u',
  ұ: 'u',
  ф: 'f',
  х: 'x',
  ҳ: 'h',
  һ: 'h',
  ц: 's',
  ч: 'c',
  ҷ: 'j',
  ш: 'S',
  щ: 'S',
  ъ: '',
  ы: 'i',
  ь: '',
  э: 'i',
  ю: 'iu',
  я: 'ia',
}

const LETTERS: Readonly<Record<string, string>> = { ...LATIN, ...ARABIC, ...CYRILLIC }

/**
 * Of a normalized text. Words are joined, because spellings separate them differently; a repeated
 * sound counts once; letters of other scripts are omitted.
 */
export function toPhonemes(normal: string): string {
  let sounds = ''
  for (let at = 0; at < normal.length; ) {
    const [letters, heard] = soundAt(normal, at)
    for (const sound of heard) if (!sounds.endsWith(sound)) sounds += sound
    at += letters
  }
  return sounds
}

function soundAt(normal: string, at: number): readonly [letters: number, sound: string] {
  const letter = normal.charAt(at)
  for (const [letters, sound] of GROUPS_BY_LETTER.get(letter) ?? []) {
    if (normal.startsWith(letters, at)) return [letters.length, sound]
  }
  const next = normal.charAt(at + 1)
  // `Karaci` is Turkish, `Cicero` Latin: before e and i a `c` is no `k`.
  if (letter === 'c' && (next === 'e' || next === 'i' || next === 'y')) return [1, 'c']
  // At the end of an Arabic word the letter marks a vowel: `Maymana`, میمنه.
  if (letter === 'ه' && (next === '' || next === ' ')) return [1, 'a']
  return [1, LETTERS[letter] ?? '']
}

function asThemselves(letters: string): Record<string, string> {
  return Object.fromEntries(Array.from(letters, (letter) => [letter, letter]))
}
