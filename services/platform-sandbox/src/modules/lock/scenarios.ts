/** How the lock system of a property behaves for one action, and its description. */
export const LOCK_SCENARIOS = {
  'slow-lock': 'The vendor responds after 2.5 seconds',
  refuse: 'The vendor rejects the command: 422',
  delayed: 'Accepted; the confirmation follows after a second',
  late: 'Accepted; the confirmation is late (`LOCK_LATE_MS`)',
  'late-failure': 'Accepted; the failure is late (`LOCK_LATE_MS`)',
  twice: 'Succeeds; the same confirmation arrives again after a second',
  reordered: 'Accepted; the success arrives before the failure that preceded it',
  never: 'Accepted, without any effect and without a response: a deletion stays unconfirmed',
  'silent-success': 'Accepted, takes effect, and is never confirmed',
  forgotten: 'Accepted and takes effect, but the request is not found by its id',
  'success-then-failure': 'Succeeds; a second later the lock turns out not to have the change',
  'busy-gateway': 'The gateway is executing another command: 409; a revocation waits for it',
  'offline-gateway': 'The gateway is offline: 422, or with Salto accepted and failed much later',
  'duplicate-credential': 'Succeeds; the vendor has created the key twice',
  'duplicate-code': 'Every code is already in use at the lock: 422',
  'slots-full': 'The lock cannot store another key: 422',
  'clock-error': 'The vendor rejects the time of the command: 422',
} as const satisfies Record<string, string>

export type LockScenario = keyof typeof LOCK_SCENARIOS

export const LOCK_SCENARIO_NAMES = Object.keys(LOCK_SCENARIOS) as [LockScenario, ...LockScenario[]]

export function isLockScenario(value: unknown): value is LockScenario {
  return typeof value === 'string' && Object.hasOwn(LOCK_SCENARIOS, value)
}
