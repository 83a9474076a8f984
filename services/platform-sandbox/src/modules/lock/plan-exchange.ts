import type { LockAction } from '@melmastoon/upstream-contracts/lock'
import type { LockScenario } from './scenarios.ts'
import type { LockVendorSimulator, VendorResponse, VendorResult } from './vendors/vendor.ts'

/** A response that the vendor will send. */
export interface PlannedResponse {
  readonly afterMs: number
  readonly sequence: number
  readonly response: VendorResponse
  readonly awaitsGateway?: true
}

/** What becomes of one command. */
export interface Exchange {
  /** Whether the caller waits for the first response. */
  readonly isAwaited: boolean
  readonly responses: readonly PlannedResponse[]
  /** The command takes effect immediately, and without a response. */
  readonly isSilent?: true
  readonly isForgotten?: true
  readonly copies?: 2
}

export interface Situation {
  readonly action: LockAction
  readonly scenario: LockScenario | undefined
  readonly gateway: 'online' | 'offline'
  /** As many commands as the gateway executes at once. */
  readonly isBusy: boolean
  readonly areSlotsFull: boolean
  readonly lateMs: number
}

const SLOW_MS = 2_500
const SECOND_MS = 1_000

/** A second, unless late responses come sooner. */
const soonMs = (lateMs: number) => Math.min(SECOND_MS, lateMs)

/** `busy`: the command was not accepted. The same situation always has the same exchange. */
export function planExchange(vendor: LockVendorSimulator, situation: Situation): Exchange | 'busy' {
  const { scenario, action, isBusy, gateway } = situation
  const { settled, open, late } = builders(vendor)
  if (scenario === 'busy-gateway' || isBusy) {
    return action === 'revoke' ? open([late(soonMs(situation.lateMs), 'done')]) : 'busy'
  }
  if (scenario === 'offline-gateway' || gateway === 'offline') return offline(vendor)
  if (situation.areSlotsFull && action === 'issue') return settled('slots_full')
  return scenario === undefined ? settled('done') : play(vendor, scenario, situation)
}

function play(
  vendor: LockVendorSimulator,
  scenario: Exclude<LockScenario, 'busy-gateway' | 'offline-gateway'>,
  { action, lateMs }: Situation,
): Exchange {
  const { settled, open, late } = builders(vendor)
  const soon = soonMs(lateMs)
  const afterwards = vendor.profile.commandMs + soon
  switch (scenario) {
    case 'slow-lock':
      return { isAwaited: true, responses: [late(SLOW_MS, 'done')] }
    case 'refuse':
      return settled('vendor_refused')
    case 'delayed':
      return open([late(soon, 'done')])
    case 'late':
      return open([late(lateMs, 'done')])
    case 'late-failure':
      return open([late(lateMs, 'vendor_unreachable')])
    case 'twice':
      return settled('done', late(afterwards, 'done'))
    case 'reordered':
      return open([late(soon, 'done', 2), late(2 * soon, 'vendor_unreachable', 1)])
    case 'never':
      return open([])
    case 'silent-success':
      return { ...open([]), isSilent: true }
    case 'forgotten':
      return { ...open([]), isSilent: true, isForgotten: true }
    case 'success-then-failure':
      return settled('done', late(afterwards, 'unknown_to_lock', 2))
    case 'duplicate-credential':
      return action === 'issue' ? { ...settled('done'), copies: 2 } : settled('done')
    case 'duplicate-code':
      return settled('pin_collision_exhausted')
    case 'slots-full':
      return settled('slots_full')
    case 'clock-error':
      return settled('clock_error')
  }
}

function offline(vendor: LockVendorSimulator): Exchange {
  const { settled, open, late } = builders(vendor)
  const { offlineGateway, maxDelaySeconds } = vendor.profile
  if (offlineGateway === 'rejects') return settled('gateway_offline')
  const noticed = late(maxDelaySeconds * SECOND_MS, 'gateway_offline')
  return open([{ ...noticed, awaitsGateway: true }])
}

function builders(vendor: LockVendorSimulator) {
  const late = (afterMs: number, result: VendorResult, sequence = 1): PlannedResponse => ({
    afterMs,
    sequence,
    response: vendor.respond(result),
  })
  return {
    late,
    open: (responses: readonly PlannedResponse[]): Exchange => ({ isAwaited: false, responses }),
    settled: (result: VendorResult, ...more: readonly PlannedResponse[]): Exchange => ({
      isAwaited: true,
      responses: [late(vendor.profile.commandMs, result), ...more],
    }),
  }
}
