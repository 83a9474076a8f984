import { spawn, spawnSync } from 'node:child_process'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { TenantId } from '@melmastoon/domain'
import { KeyRing, verifyHandoff } from '@melmastoon/security'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PLANS } from '../harness/fake-upstreams/offer-responses.ts'
import { ROOM_TYPE_ID } from '../harness/fake-upstreams/property-responses.ts'
import { mintForNewGuest, secretOf, type Target } from '../harness/handoff-client.ts'
import { type Fixture, startFixture } from '../harness/start-consumer.ts'

/**
 * Verifiers written from docs/handoff-token.md alone, one of them in another language: neither
 * uses the code that mints.
 */
const PAGE = readFileSync(new URL('../../../../docs/handoff-token.md', import.meta.url), 'utf8')
const KEYS = { 'hmac-2026-04': secretOf('handoff') }

let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const at = (index: number): Target => {
  const hotel = fixture.upstreams.hotels[index]
  if (hotel === undefined) throw new Error('unknown hotel')
  return hotel
}

interface Question {
  readonly token: string
  readonly keys: Record<string, string>
  readonly tenantId: string
  readonly now: string
}

type Verdict = string[] | 'late' | 'invalid'
type Verifier = (request: Question) => Verdict | Promise<Verdict>

function verifyInNode({ token, keys, tenantId, now }: Question): Verdict {
  const [payloadText = '', macText = '', ...rest] = token.split('.')
  const payload = Buffer.from(payloadText, 'base64url')
  const mac = Buffer.from(macText, 'base64url')
  if (rest.length > 0 || mac.length !== 32) return 'invalid'
  if (payload.toString('base64url') !== payloadText) return 'invalid'
  if (mac.toString('base64url') !== macText) return 'invalid'
  const signers = Object.entries(keys).filter(([, key]) =>
    timingSafeEqual(
      createHmac('sha256', Buffer.from(key, 'base64url')).update(payload).digest(),
      mac,
    ),
  )
  const lines = payload.toString('ascii').split('\n')
  if (lines.length !== 24 || lines[0] !== 'v3') return 'invalid'
  if (signers[0]?.[0] !== lines[14] || lines[3] !== tenantId) return 'invalid'
  const [mintedMs, expiresMs, nowMs] = [lines[12], lines[13], now].map((t) => Date.parse(t ?? ''))
  if (mintedMs === undefined || expiresMs === undefined || nowMs === undefined) return 'invalid'
  if (expiresMs - mintedMs !== 1_800_000 || mintedMs > nowMs + 60_000) return 'invalid'
  return nowMs > expiresMs + 60_000 ? 'late' : lines
}

const SCRIPT = /```python\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? ''
const hasPython = spawnSync('python3', ['--version']).status === 0

async function verifyInPython(request: Question): Promise<Verdict> {
  const child = spawn('python3', ['-c', SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(request))
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Verdict
}

const VERIFIERS: [string, Verifier, boolean][] = [
  ['plain node:crypto', verifyInNode, true],
  ['the Python of the page (needs python3)', verifyInPython, hasPython],
]

describe.each(VERIFIERS)(
  'D4 a verifier built from the documentation: %s',
  (_name, verify, canRun) => {
    it.skipIf(!canRun)('accepts minted tokens and rejects invalid ones', async () => {
      const campaign = { 'x-campaign-source': 'radio', 'x-campaign-name': 'Nowruz 1405' }
      const { token, response, guest } = await mintForNewGuest(fixture.service.url, at(0), campaign)
      const tenantId: TenantId = at(0).tenantId
      const expiresAt = String(response.body['expiresAt'])
      const now = new Date().toISOString()
      const good = { token, keys: KEYS, tenantId, now }
      const lines = await verify(good)
      expect(lines).toEqual([
        'v3',
        response.body['handoffId'],
        guest.id,
        tenantId,
        at(0).propertyId,
        expect.stringMatching(/^\d{4}-/),
        expect.stringMatching(/^\d{4}-/),
        '2',
        '1',
        '1',
        'AFN',
        'en',
        expect.stringMatching(/Z$/),
        expiresAt,
        'hmac-2026-04',
        '4',
        'radio',
        '',
        'Nowruz%201405',
        ROOM_TYPE_ID,
        PLANS.NRF.ratePlanId,
        PLANS.NRF.digest,
        '500000',
        'AFN',
      ])
      const later = (ms: number) => new Date(Date.parse(expiresAt) + ms).toISOString()
      const wrong: [Partial<Question>, Verdict][] = [
        [{ tenantId: at(1).tenantId }, 'invalid'],
        [{ keys: { 'hmac-2026-04': secretOf('other') } }, 'invalid'],
        [{ keys: { 'hmac-2026-05': secretOf('handoff') } }, 'invalid'],
        [{ token: `${token}=` }, 'invalid'],
        [{ token: `A${token.slice(1)}` }, 'invalid'],
        [{ token: `${token.slice(0, -2)}AA` }, 'invalid'],
        [{ now: later(-1_900_000) }, 'invalid'],
        [{ now: later(60_001) }, 'late'],
        [{ now: later(60_000) }, lines],
      ]
      for (const [over, verdict] of wrong)
        expect(await verify({ ...good, ...over })).toEqual(verdict)
    })
  },
)

describe('D4 the test vectors of the documentation', () => {
  const tenantId = 'tnt_01HW0000000000000000000T01' as TenantId
  const secret = /key `([\w-]{43})`/.exec(PAGE)?.[1] ?? ''
  const payload = /```\n(v3\n[\s\S]*?)\n```/.exec(PAGE)?.[1] ?? ''
  const ring = KeyRing.parse(`hmac-2026-04:active:${secret}`)
  const at = (now: string) => ({ now: new Date(now), tenantId })

  const tokenOf = (name: string) =>
    new RegExp(`\`\`\`${name}\\n(.*)\\n\`\`\``).exec(PAGE)?.[1] ?? ''

  it.each(['v1', 'v2', 'v3'])('D4 %s is accepted in its lifetime only', (name) => {
    const token = tokenOf(name)
    for (const now of ['2026-04-23T09:13:00.000Z', '2026-04-23T09:45:00.000Z']) {
      expect(`v${verifyHandoff(token, ring, at(now)).version}`).toBe(name)
    }
    const verifyAt = (now: string) => () => verifyHandoff(token, ring, at(now))
    expect(verifyAt('2026-04-23T09:12:59.999Z')).toThrow('Invalid booking link')
    expect(verifyAt('2026-04-23T09:45:00.001Z')).toThrow('The booking link has expired')
  })

  it.skipIf(!hasPython)('D4 the Python of the page reads the documented lines', async () => {
    const keys = { 'hmac-2026-04': secret }
    const now = '2026-04-23T09:14:00.000Z'
    const lines = payload.split('\n')
    for (const [name, count] of [
      ['v1', 15],
      ['v2', 19],
      ['v3', 24],
    ] as const) {
      const verdict = await verifyInPython({ token: tokenOf(name), keys, tenantId, now })
      expect(verdict).toEqual([name, ...lines.slice(1, count)])
    }
  })
})
