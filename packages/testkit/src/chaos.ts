import { type Latch, latch } from './latch.ts'

/** The names of the methods that return a promise. */
export type AsyncMethod<T> = {
  [K in keyof T]-?: T[K] extends (...args: never[]) => Promise<unknown> ? K : never
}[keyof T]

export interface ChaosRules<T> {
  /** Fails before the method is called. */
  readonly throwOn?: readonly AsyncMethod<T>[]
  /** Waits for `heal`, then calls the method. */
  readonly stallOn?: readonly AsyncMethod<T>[]
  /** Calls the method and then fails: the result is lost, the effect is not. */
  readonly dropAfterEffectOn?: readonly AsyncMethod<T>[]
  /** Total number of faults; by default, until healed. */
  readonly times?: number
  readonly error?: () => Error
}

export interface Chaos<T> {
  readonly subject: T
  /** Number of faults so far. */
  readonly faults: number
  set(rules: ChaosRules<T>): void
  heal(): void
}

export class ChaosError extends Error {
  override readonly name = 'ChaosError'
}

type Fault = 'throw' | 'stall' | 'drop'
type Call = () => Promise<unknown>

/** Wraps an object with async methods and injects faults by rule. */
export function chaos<T extends object>(target: T, initial: ChaosRules<T> = {}): Chaos<T> {
  let rules = initial
  let gate = latch()
  let faults = 0
  let left = initial.times ?? Number.POSITIVE_INFINITY
  const set = (next: ChaosRules<T>) => {
    gate.open()
    gate = latch()
    rules = next
    left = next.times ?? Number.POSITIVE_INFINITY
  }
  const misbehave = (fault: Fault, call: Call): Promise<unknown> => {
    left -= 1
    faults += 1
    return perform(fault, call, { gate, error: rules.error })
  }
  const subject = new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name, object)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        const call = (): Promise<unknown> => Reflect.apply(value, object, args)
        const fault = left > 0 ? faultFor(rules, name) : null
        return fault === null ? call() : misbehave(fault, call)
      }
    },
  })
  return {
    subject,
    get faults() {
      return faults
    },
    set,
    heal: () => set({}),
  }
}

function faultFor<T>(rules: ChaosRules<T>, name: string | symbol): Fault | null {
  const lists = { throw: rules.throwOn, stall: rules.stallOn, drop: rules.dropAfterEffectOn }
  const faults = ['throw', 'stall', 'drop'] as const
  return faults.find((fault) => lists[fault]?.some((method) => method === name)) ?? null
}

async function perform(
  fault: Fault,
  call: Call,
  context: { gate: Latch; error: (() => Error) | undefined },
): Promise<unknown> {
  if (fault === 'throw') throw makeError(context.error, 'failed before the effect')
  if (fault === 'stall') {
    await context.gate.promise
    return call()
  }
  await call()
  throw makeError(context.error, 'result lost after the effect')
}

function makeError(error: (() => Error) | undefined, words: string): Error {
  return error?.() ?? new ChaosError(words)
}
