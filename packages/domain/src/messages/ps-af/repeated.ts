/** How long to wait: `retryAfter` is 0 where the service does not know. */
export const AGAIN =
  '{retryAfter, plural, =0 {مهرباني وکړئ لږ وروسته بیا هڅه وکړئ.} ' +
  'one {مهرباني وکړئ # ثانیه وروسته بیا هڅه وکړئ.} ' +
  'other {مهرباني وکړئ # ثانیې وروسته بیا هڅه وکړئ.}}'

export const RELOAD = 'مهرباني وکړئ پاڼه تازه کړئ او بیا هڅه وکړئ.'
export const SIGN_IN = 'مهرباني وکړئ بیا ننوځئ.'
export const CHANGED = 'په دې منځ کې بل چا دا بدل کړی دی. مهرباني وکړئ بیا یې وګورئ.'
export const NOT_NOW = 'په اوسني حالت کې دا کار نشي کېدای.'
export const OTHER_STAY = 'مهرباني وکړئ بله خونه یا نورې نېټې وټاکئ.'
export const FROM_SEARCH = 'مهرباني وکړئ بېرته لټون ته لاړ شئ او هوټل بیا پرانیزئ.'
