import { type Client, createClient } from '@melmastoon/client/source'
import type { paths } from '../../../services/bff-consumer-service/contracts/openapi.d.ts'
import type { TimedSay } from '../shared/say.ts'

export type Api = Client<paths>

/** Like a browser: with a user agent, languages and its session cookie. */
const HEADERS = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  accept: 'application/json',
  'accept-language': 'fa-AF,fa;q=0.9,en;q=0.5',
}

export function openClient(baseUrl: string): Api {
  return openBrowser<paths>(baseUrl)
}

export function openBrowser<Paths extends object>(
  baseUrl: string,
  watch: TimedSay['watch'] = () => undefined,
): Client<Paths> {
  let cookie: string | undefined
  return createClient<Paths>({
    baseUrl,
    headers: HEADERS,
    async fetch(request) {
      if (cookie !== undefined) request.headers.set('cookie', cookie)
      const startedMs = performance.now()
      const response = await fetch(request)
      watch(performance.now() - startedMs)
      const [pair] = response.headers.getSetCookie().map((line) => line.split(';', 1)[0])
      cookie = pair ?? cookie
      return response
    },
  })
}
