/**
 * Headers of a browser, sent to all alternatives; without them our service would classify the load
 * as a bot.
 */
export const VISITOR = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  accept: 'application/json',
  'accept-language': 'en',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
} as const
