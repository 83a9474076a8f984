export interface Latch {
  readonly promise: Promise<void>
  readonly isOpen: boolean
  open(): void
}

/** Blocks callers until it is opened, and then stays open. */
export function latch(): Latch {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isOpen = false
  return {
    promise,
    get isOpen() {
      return isOpen
    },
    open() {
      isOpen = true
      resolve()
    },
  }
}

export interface Barrier {
  readonly arrived: number
  /** Resolves for all when the last party has arrived. */
  arrive(): Promise<void>
}

export function barrier(parties: number): Barrier {
  const gate = latch()
  let arrived = 0
  return {
    get arrived() {
      return arrived
    },
    arrive() {
      arrived += 1
      if (arrived >= parties) gate.open()
      return gate.promise
    },
  }
}
