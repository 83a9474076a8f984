const EASTERN_DIGITS = '۰۱۲۳۴۵۶۷۸۹'

/** Digits as written in Pashto and Dari. */
export function easternDigits(text: number | string): string {
  return String(text).replace(/\d/g, (digit) => EASTERN_DIGITS[Number(digit)] ?? digit)
}
