import { LOCK_VENDORS } from '@melmastoon/upstream-contracts/lock'
import { describe, expect, it } from 'vitest'
import { type Exchange, planExchange, type Situation } from '../plan-exchange.ts'
import { LOCK_SCENARIO_NAMES, type LockScenario } from '../scenarios.ts'
import { VENDOR_FAILURES, type VendorResult } from './vendor.ts'
import { VENDORS } from './vendors.ts'

const RESULTS: readonly VendorResult[] = ['done', 'busy', ...VENDOR_FAILURES]

const QUIET: Situation = {
  action: 'issue',
  scenario: undefined,
  gateway: 'online',
  isBusy: false,
  areSlotsFull: false,
  lateMs: 20_000,
}

describe.each(LOCK_VENDORS)('the simulator of %s', (name) => {
  const vendor = VENDORS[name]
  const plan = (changes: Partial<Situation> = {}) => planExchange(vendor, { ...QUIET, ...changes })
  const play = (scenario: LockScenario, changes: Partial<Situation> = {}): Exchange => {
    const exchange = plan({ ...changes, scenario })
    if (exchange === 'busy') throw new Error('the gateway is busy')
    return exchange
  }
  const resultsOf = ({ responses }: Exchange) =>
    responses.map(({ sequence, response }) => [sequence, vendor.read(response).result])

  it('has the name it is registered with', () => expect(vendor.vendor).toBe(name))

  it.each(RESULTS)('reads its own response of %s', (result) => {
    expect(vendor.read(vendor.respond(result)).result).toBe(result)
  })

  it('gives every result a code of its own', () => {
    const codes = RESULTS.map((result) => vendor.read(vendor.respond(result)).vendorCode)
    expect(new Set(codes).size).toBe(RESULTS.length)
  })

  it.each([
    [200, {}],
    [201, { operation: null }],
    [200, { errcode: null, State: 7, ack: 'yes' }],
    [200, { errcode: -99_999, State: 'LATER', code: 'ZZ', operation: { status: 'pending' } }],
    [500, { errmsg: 'ok' }],
  ])('takes a response that it does not know, %i %j, for a rejection', (status, body) => {
    expect(vendor.read({ status, body }).result).toBe('vendor_refused')
  })

  it('never takes an HTTP success alone for a success', () => {
    for (const failure of VENDOR_FAILURES) {
      const { body } = vendor.respond(failure)
      for (const status of [200, 201]) {
        expect(vendor.read({ status, body }).result, failure).not.toBe('done')
      }
    }
  })

  it('executes a command at once', () => {
    const exchange = plan()
    expect(exchange).toMatchObject({ isAwaited: true })
    expect(exchange !== 'busy' && resultsOf(exchange)).toEqual([[1, 'done']])
  })

  it('plans every scenario the same way each time', () => {
    for (const scenario of LOCK_SCENARIO_NAMES) {
      expect(plan({ scenario })).toEqual(plan({ scenario }))
    }
  })

  it.each<[LockScenario, VendorResult]>([
    ['refuse', 'vendor_refused'],
    ['duplicate-code', 'pin_collision_exhausted'],
    ['slots-full', 'slots_full'],
    ['clock-error', 'clock_error'],
  ])('rejects with the scenario %s', (scenario, result) => {
    const exchange = play(scenario)
    expect(exchange.isAwaited).toBe(true)
    expect(resultsOf(exchange)).toEqual([[1, result]])
  })

  it.each<[LockScenario, (readonly [number, VendorResult])[]]>([
    ['delayed', [[1, 'done']]],
    ['late', [[1, 'done']]],
    ['late-failure', [[1, 'vendor_unreachable']]],
    [
      'reordered',
      [
        [2, 'done'],
        [1, 'vendor_unreachable'],
      ],
    ],
    ['never', []],
    ['silent-success', []],
    ['forgotten', []],
  ])('only accepts with the scenario %s', (scenario, results) => {
    const exchange = play(scenario)
    expect(exchange.isAwaited).toBe(false)
    expect(resultsOf(exchange)).toEqual(results)
    const delays = exchange.responses.map(({ afterMs }) => afterMs)
    expect(delays).toEqual(delays.toSorted((a, b) => a - b))
  })

  it('distinguishes silence with and without an effect', () => {
    expect(play('never').isSilent).toBeUndefined()
    expect(play('silent-success').isSilent).toBe(true)
    expect(play('forgotten')).toMatchObject({ isSilent: true, isForgotten: true })
  })

  it('repeats or withdraws its confirmation', () => {
    expect(resultsOf(play('twice'))).toEqual([
      [1, 'done'],
      [1, 'done'],
    ])
    expect(resultsOf(play('success-then-failure'))).toEqual([
      [1, 'done'],
      [2, 'unknown_to_lock'],
    ])
  })

  it('creates a key twice, but changes none twice', () => {
    expect(play('duplicate-credential').copies).toBe(2)
    expect(play('duplicate-credential', { action: 'extend' }).copies).toBeUndefined()
  })

  it('is slower than callers wait, but responds', () => {
    const [response] = play('slow-lock').responses
    expect(response?.afterMs).toBeGreaterThan(1_200)
  })

  it('rejects a command to a busy gateway, and lets a revocation wait', () => {
    for (const busy of [{ isBusy: true }, { scenario: 'busy-gateway' }] as const) {
      expect(plan(busy)).toBe('busy')
      expect(plan({ ...busy, action: 'revoke' })).toMatchObject({ isAwaited: false })
    }
  })

  it('cannot store more keys than a lock has slots, but revokes them', () => {
    const full = plan({ areSlotsFull: true })
    expect(full !== 'busy' && resultsOf(full)).toEqual([[1, 'slots_full']])
    const revoked = plan({ areSlotsFull: true, action: 'revoke' })
    expect(revoked !== 'busy' && resultsOf(revoked)).toEqual([[1, 'done']])
  })

  it('fails behind a gateway that is offline, at once or within its maximum delay', () => {
    for (const offline of [{ gateway: 'offline' }, { scenario: 'offline-gateway' }] as const) {
      const exchange = plan(offline)
      if (exchange === 'busy') throw new Error('the gateway is busy')
      expect(resultsOf(exchange)).toEqual([[1, 'gateway_offline']])
      const { offlineGateway, maxDelaySeconds } = vendor.profile
      expect(exchange.isAwaited).toBe(offlineGateway === 'rejects')
      expect(exchange.responses[0]?.afterMs).toBeLessThanOrEqual(maxDelaySeconds * 1_000)
    }
  })
})

describe('the limits of the vendors', () => {
  it('are those of their documentation', () => {
    expect(VENDORS.ttlock.profile).toMatchObject({ maxDelaySeconds: 120, commandsAtOnce: 1 })
    expect(VENDORS.salto.profile).toMatchObject({ maxDelaySeconds: 1_800, offlineGateway: 'late' })
  })

  it('TTLock reports failures with HTTP 200 and its own codes', () => {
    const code = (result: VendorResult) => VENDORS.ttlock.respond(result).body['errcode']
    expect(VENDORS.ttlock.respond('busy').status).toBe(200)
    expect([code('busy'), code('gateway_offline'), code('clock_error')]).toEqual([
      -3003, -2012, 80_000,
    ])
  })
})
