/** How long to wait: `retryAfter` is 0 where the service does not know. */
export const AGAIN =
  '{retryAfter, plural, =0 {لطفاً کمی بعد دوباره کوشش کنید.} ' +
  'one {لطفاً # ثانیه بعد دوباره کوشش کنید.} other {لطفاً # ثانیه بعد دوباره کوشش کنید.}}'

export const RELOAD = 'لطفاً صفحه را تازه کنید و دوباره کوشش کنید.'
export const SIGN_IN = 'لطفاً دوباره وارد شوید.'
export const CHANGED = 'در این میان کس دیگری آن را تغییر داده است. لطفاً دوباره ببینید.'
export const NOT_NOW = 'در حالت کنونی این کار ممکن نیست.'
export const OTHER_STAY = 'لطفاً اتاق دیگر یا تاریخ‌های دیگری انتخاب کنید.'
export const FROM_SEARCH = 'لطفاً به جستجو برگردید و هوتل را دوباره باز کنید.'
