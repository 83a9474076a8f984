import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BotSignal,
  type SignalKind,
  scoreSignals,
  signal,
  THRESHOLDS,
  WEIGHTS,
} from './scoring.ts'

const KINDS = Object.keys(WEIGHTS) as SignalKind[]
const ALL: BotSignal[] = KINDS.flatMap((kind) =>
  Object.entries(WEIGHTS[kind]).map(([detail, weight]) => ({ kind, weight, detail })),
)
const someSignals = fc.array(fc.constantFrom(...ALL), { maxLength: 12 })
const anyWeight = fc.oneof(fc.double({ min: -2, max: 3 }), fc.constantFrom(0, 1, Number.NaN))
const anySignals = fc.array(
  anyWeight.map((weight): BotSignal => ({ kind: 'cadence', weight, detail: 'guest-fast' })),
)

describe('C9 the score', () => {
  it('stays within 0 and 1 for any weights', () => {
    fc.assert(
      fc.property(anySignals, (signals) => {
        const { score } = scoreSignals(signals)
        return score >= 0 && score <= 1
      }),
    )
  })

  it('never decreases when a signal is added, and neither does the verdict', () => {
    const rank = { human: 0, suspect: 1, bot: 2 }
    fc.assert(
      fc.property(someSignals, fc.constantFrom(...ALL), (signals, one) => {
        const before = scoreSignals(signals)
        const after = scoreSignals([...signals, one])
        return after.score >= before.score && rank[after.verdict] >= rank[before.verdict]
      }),
    )
  })

  it('does not depend on the order', () => {
    fc.assert(
      fc.property(someSignals, (signals) => {
        const there = scoreSignals(signals).score
        const back = scoreSignals(signals.toReversed()).score
        expect(Math.abs(there - back)).toBeLessThan(1e-6)
      }),
    )
  })

  it.each([
    [[], 'human'],
    [[signal('ua-pattern', 'library')], 'human'],
    [[signal('ua-pattern', 'crawler')], 'suspect'],
    [[signal('ua-pattern', 'headless')], 'bot'],
    [[signal('header-anomaly', 'hints-headless')], 'bot'],
    [[signal('cadence', 'guest-fast')], 'human'],
    [[signal('cadence', 'guest-inhuman')], 'suspect'],
    [[signal('ua-pattern', 'library'), signal('cadence', 'guest-fast')], 'suspect'],
    [[signal('recaptcha', 'failed')], 'human'],
    [[signal('ua-pattern', 'crawler'), signal('recaptcha', 'failed-often')], 'bot'],
    [[signal('header-anomaly', 'session-elsewhere')], 'human'],
    [[signal('header-anomaly', 'session-elsewhere'), signal('cadence', 'guest-fast')], 'suspect'],
  ] as const)('%j is %s', (signals, verdict) => {
    expect(scoreSignals(signals).verdict).toBe(verdict)
  })
})

describe('what an honest browser cannot avoid', () => {
  const stripped = [
    signal('header-anomaly', 'no-accept'),
    signal('header-anomaly', 'no-accept-language'),
    signal('header-anomaly', 'no-accept-encoding'),
    signal('header-anomaly', 'no-sec-fetch'),
    signal('header-anomaly', 'old-protocol'),
  ]
  const crowded = [
    signal('cadence', 'fingerprint-fast'),
    signal('cadence', 'address-fast'),
    signal('fingerprint-collision', 'sessions-flood'),
  ]
  const blamed = [signal('fingerprint-collision', 'handoff-replayed-often')]

  it.each([
    ['a proxy that strips headers', stripped],
    ['a town behind one address', crowded],
    ['replays by others with the same fingerprint', blamed],
  ])('%s: is not suspected', (_what, signals) => {
    expect(scoreSignals(signals).score).toBeLessThan(THRESHOLDS.suspect)
  })

  it('each is enough together with another signal', () => {
    for (const signals of [stripped, crowded, blamed]) {
      const { verdict } = scoreSignals([...signals, signal('cadence', 'guest-fast')])
      expect(verdict).toBe('suspect')
    }
  })
})
