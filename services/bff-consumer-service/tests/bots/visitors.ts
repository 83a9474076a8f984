import { newId } from '@melmastoon/domain'
import {
  cookieOf,
  createGuest,
  post,
  searchRequest,
  type TestResponse,
} from '../harness/start-consumer.ts'

type Headers = Record<string, string>

/** Declares itself as a crawler: suspected by every instance. */
export const CRAWLER = { 'user-agent': 'GPTBot/1.2' }

export const SUSPECTED = 'MELMASTOON.BFF.CONSUMER.SUSPECTED_BOT'
export const LIMITED = 'MELMASTOON.GENERAL.RATE_LIMITED'

export interface Challenge {
  readonly provider: string
  readonly siteKey: string
  readonly action: string
}

export const challengeOf = ({ body }: TestResponse) => body['challenge'] as Challenge
export const codeOf = ({ status, body }: TestResponse) => [status, body['code']]

export const search = (url: string, headers: Headers = {}) =>
  post(url, '/search', { json: searchRequest(), headers })

/** What a page does with a challenge of the local captcha. */
export async function solve(url: string, { action }: Challenge): Promise<string> {
  const issued = await post(url, '/challenge/local', { json: { action } })
  return String(issued.body['token'])
}

export const proof = (token: string) => ({ 'x-recaptcha-token': token })

/** A session that was started by an ordinary client and is now used by a crawler. */
export async function startCrawlerSession(url: string, name = newId('req')) {
  const headers = { 'user-agent': `GPTBot/1.2 (${name})` }
  const { id, cookie } = await createGuest(url)
  return { id, cookie, headers: { cookie, ...headers } }
}

export async function send(url: string, init: RequestInit & { path: string }) {
  const { path, ...rest } = init
  const response = await fetch(new URL(`/bff/consumer/v1${path}`, url), rest)
  const text = await response.text()
  return { status: response.status, code: (JSON.parse(text || '{}') as { code?: string }).code }
}

export { cookieOf }
