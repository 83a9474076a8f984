import { createHmac } from 'node:crypto'
import { newId, parseIsoDate } from '@melmastoon/domain'
import { expect, it } from 'vitest'
import { decodeBase64url, equalBytes } from './bytes.ts'
import { NO_OFFER } from './handoff-lines.ts'
import { mintHandoff, verifyHandoff } from './handoff-token.ts'
import { KeyRing } from './key-ring.ts'

const SAMPLES = 20_000
/** The threshold of test vector leakage assessment (TVLA) for a significant difference. */
const PROVEN = 4.5
/** Other programs may preempt one kind of measurement more often than the other. */
const ROUNDS = 5

const secret = (fill: number) => Buffer.alloc(32, fill).toString('base64url')
const entry = (n: number, state: string) => `key-${n}:${state}:${secret(n + 1)}`
const ring = KeyRing.parse(
  [entry(0, 'active'), ...[1, 2, 3, 4, 5, 6].map((n) => entry(n, 'grace'))].join(','),
)
const now = new Date('2026-04-23T09:14:00.000Z')
const tenantId = newId('tnt')
const fields = {
  id: newId('bhd'),
  guestSessionId: newId('gms'),
  tenantId,
  propertyId: newId('ppt'),
  checkIn: parseIsoDate('2026-05-20'),
  checkOut: parseIsoDate('2026-05-22'),
  adults: 2,
  children: 0,
  rooms: 1,
  currency: 'AFN',
  locale: 'ps-AF',
  childrenAges: [],
  campaign: { source: '', medium: '', name: '' },
  offer: NO_OFFER,
}

const signedBy = (n: number) => mintHandoff(fields, KeyRing.parse(entry(n, 'active')), now).token
const token = signedBy(0)
const spoiled = (at: number) => {
  const mac = Buffer.from(token.slice(-43), 'base64url')
  mac[at] = (mac[at] ?? 0) ^ 1
  return token.slice(0, -43) + mac.toString('base64url')
}

type Verify = (token: string) => unknown

const verify: Verify = (text) => {
  try {
    return verifyHandoff(text, ring, { now, tenantId })
  } catch (error) {
    return error
  }
}

/** Negative control: stops at the first key that matches. */
const verifyUntilMatch: Verify = (text) => {
  const payload = decodeBase64url(text.slice(0, -44)) ?? Buffer.alloc(0)
  const mac = decodeBase64url(text.slice(-43)) ?? Buffer.alloc(0)
  return ring.verifying.find(({ key }) =>
    equalBytes(createHmac('sha256', key).update(payload).digest(), mac),
  )
}

/**
 * Welch's t of two kinds of token, measured alternately; the slowest tenth is discarded as noise.
 */
function welch(run: Verify, [first, second]: readonly [string, string]): number {
  const times: [number[], number[]] = [[], []]
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    // In pairs of alternating order, so that neither kind always comes first.
    const isSecond = ((sample >> 1) + sample) % 2
    const startedNs = process.hrtime.bigint()
    run(isSecond === 0 ? first : second)
    times[isSecond === 0 ? 0 : 1].push(Number(process.hrtime.bigint() - startedNs))
  }
  const [a, b] = times.map((all) => momentsOf(all.sort((x, y) => x - y).slice(0, all.length * 0.9)))
  if (a === undefined || b === undefined) return Number.NaN
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count)
}

function momentsOf(values: readonly number[]) {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { count, mean, variance: squares / (count - 1) }
}

/** A real difference appears in every round; noise does not. */
function leastOf(run: Verify, pair: readonly [string, string]): number {
  for (let warm = 0; warm < 2_000; warm += 1) pair.forEach(run)
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS && least >= PROVEN; round += 1) {
    least = Math.min(least, Math.abs(welch(run, pair)))
  }
  return least
}

const stranger = mintHandoff(fields, KeyRing.parse(`key-0:active:${secret(99)}`), now).token

it.each<[string, readonly [string, string]]>([
  ['where a MAC is wrong', [spoiled(0), spoiled(31)]],
  ['whether a MAC is nearly right or of an unknown key', [spoiled(31), stranger]],
  ['which key has signed', [signedBy(0), signedBy(6)]],
])('SEC-H12 the verification time does not reveal %s', (_what, pair) => {
  expect(leastOf(verify, pair)).toBeLessThan(PROVEN)
})

it('SEC-H12 control: a verifier that stops at the first matching key reveals which it was', () => {
  expect(leastOf(verifyUntilMatch, [signedBy(0), signedBy(6)])).toBeGreaterThan(PROVEN)
})
