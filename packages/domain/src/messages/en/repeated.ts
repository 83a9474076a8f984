/** How long to wait: `retryAfter` is 0 where the service does not know. */
export const AGAIN =
  '{retryAfter, plural, =0 {Please try again in a moment.} ' +
  'one {Please try again in # second.} other {Please try again in # seconds.}}'

export const RELOAD = 'Please reload the page and try again.'
export const SIGN_IN = 'Please sign in again.'
export const CHANGED = 'Somebody else has changed this in the meantime. Please look at it again.'
export const NOT_NOW = 'This is not possible in the current state.'
export const OTHER_STAY = 'Please choose another room or other dates.'
export const FROM_SEARCH = 'Please go back to the search and open the hotel again.'
