import type { LockActionRecord } from './lock-action.ts'

/** An action that began or changed: ids and its state. */
export type LockChange = Pick<
  LockActionRecord,
  'tenantId' | 'propertyId' | 'reservationId' | 'actionId' | 'state'
> & { readonly action: LockActionRecord['command']['action'] }

export type LockChangeListener = (change: LockChange) => void

/** Of changes that this process made, after their commit. */
export interface LockChanges {
  /** Returns a function that removes the listener. */
  onChange(listener: LockChangeListener): () => void
  report(change: LockChange): void
}

export function createLockChanges(onError: (error: unknown) => void): LockChanges {
  const listeners = new Set<LockChangeListener>()
  return {
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    report(change) {
      for (const listener of listeners) {
        try {
          listener(change)
        } catch (error) {
          onError(error)
        }
      }
    },
  }
}
