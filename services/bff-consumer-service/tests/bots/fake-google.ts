import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export const API_KEY = 'a key that Google would have given us'
export const PROJECT = 'melmastoon-test'
export const SITE_KEY = 'site-key-of-the-test'
export const HOSTNAME = 'melmastoon.example'

interface Solved {
  readonly action: string
  readonly hostname?: string
  readonly androidPackageName?: string
  readonly score?: number
  readonly isExpired?: boolean
}

interface AssessmentRequest {
  readonly token: string
  readonly siteKey: string
  readonly expectedAction: string
  readonly userIpAddress: string
  readonly userAgent: string
}

/** A response of reCAPTCHA Enterprise: members that are false or zero are omitted. */
export async function startFakeGoogle() {
  const solved = new Map<string, Solved>()
  const spent = new Set<string>()
  const requests: AssessmentRequest[] = []
  const urls: string[] = []
  const state = { mode: 'normal' as 'normal' | 'broken' | 'silent' | 'rejecting' }

  function assess(token: string) {
    const made = solved.get(token)
    if (made === undefined) return { tokenProperties: { invalidReason: 'MALFORMED' } }
    if (made.isExpired) return { tokenProperties: { invalidReason: 'EXPIRED' } }
    if (spent.has(token)) return { tokenProperties: { invalidReason: 'DUPE' } }
    spent.add(token)
    const { score = 0.9, ...properties } = made
    return {
      name: 'projects/1/assessments/2',
      tokenProperties: { valid: true, hostname: HOSTNAME, ...properties },
      riskAnalysis: score === 0 ? {} : { score },
    }
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      urls.push(request.url ?? '')
      if (state.mode === 'silent') return
      const allowed = request.headers['x-goog-api-key'] === API_KEY && state.mode !== 'rejecting'
      const { event } = JSON.parse(Buffer.concat(chunks).toString()) as { event: AssessmentRequest }
      requests.push(event)
      const status = state.mode === 'broken' ? 500 : allowed ? 200 : 403
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(status === 200 ? assess(event.token) : { error: { status } }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let made = 0
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    urls,
    state,
    /** The token that the script in a browser returns to its page. */
    solve(solution: Solved): string {
      made += 1
      const token = `google-token-${made}`
      solved.set(token, solution)
      return token
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type FakeGoogle = Awaited<ReturnType<typeof startFakeGoogle>>
