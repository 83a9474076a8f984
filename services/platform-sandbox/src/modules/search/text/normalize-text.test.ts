import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizeText, searchableWords, wordsOf } from './normalize-text.ts'

describe('normalizeText', () => {
  it.each([
    ['Arabic and Persian yeh', 'كابلي', 'کابلی'],
    ['Pashto yeh', 'سړې', 'سړی'],
    ['Pashto yeh with a tail', 'کراچۍ', 'کراچی'],
    ['Urdu yeh and noon', 'کے ںا', 'کی نا'],
    ['Kurdish letters', 'هەولێر', 'ههولیر'],
    ['alef with hamza above and below', 'أربيل إربيل', 'اربیل اربیل'],
    ['a hamza alone', 'كربلاء', 'کربلا'],
    ['a hamza on its carrier', 'دبئی', 'دبیی'],
    ['teh marbuta', 'الدوحة', 'الدوحه'],
    ['heh with yeh above', 'کارتۀ سه', 'کارته سه'],
    ['Pashto and Arabic kaf', 'كندهار', 'کندهار'],
    ['vowel signs', 'کَابُل', 'کابل'],
    ['the tatweel', 'کـــابل', 'کابل'],
    ['presentation forms', 'ﻛﺎﺑﻞ', 'کابل'],
    ['Persian and Arabic digits', 'هوټل ۱۲ ٣٤', 'هوټل 12 34'],
    ['alef with madda', 'آریانا', 'اریانا'],
    ['Pashto gaf', 'ګلستان', 'گلستان'],
    ['Latin accents', 'Café Herāt', 'cafe herat'],
    ['full width letters', 'Ｋａｂｕｌ', 'kabul'],
    ['punctuation', 'Mazar-i-Sharif, "Old" Town', 'mazar i sharif old town'],
    ['apostrophes', 'Qal’a', "qal'a"],
    ['direction marks', '\u200fکابل\u200e', 'کابل'],
  ])('treats %s as equal', (_, one, other) => {
    expect(normalizeText(one)).toBe(normalizeText(other))
  })

  it('distinguishes letters that form other words', () => {
    expect(normalizeText('بلخ')).not.toBe(normalizeText('تلخ'))
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        expect(normalizeText(normalizeText(text))).toBe(normalizeText(text))
      }),
    )
  })
})

describe('words', () => {
  it('finds no words in punctuation', () => {
    expect(wordsOf(' – ! ')).toEqual([])
  })

  it('finds a compound joined and separated', () => {
    const words = searchableWords('مهمان\u200cخانه')
    expect(words).toEqual(['مهمانخانه', 'مهمان', 'خانه'])
  })
})
