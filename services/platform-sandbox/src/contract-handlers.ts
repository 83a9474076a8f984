import type { Tx } from '@melmastoon/chassis/db'
import type { Locale, TenantId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { InputOf, Operation, Operations, OutputOf } from '@melmastoon/upstream-contracts'

interface CallBase {
  /** The service that calls, as its credentials prove. */
  readonly caller: string
  readonly locale: Locale
  /** Who and what caused the events of this call. */
  readonly cause: EventContext
  /** A failure to play, from `X-Sandbox-Scenario`; every module names its own. */
  readonly scenario: string | undefined
}

type Scope<O> = O extends { tenantScoped: true } ? { readonly tenantId: TenantId } : unknown

interface Finish<Body> {
  /** The caller's idempotency key: the same for every repetition of the same intent. */
  readonly key: string
  /**
   * Stores the response in the transaction of the effect, so that a repetition after a crash finds
   * either both or none, and returns it.
   */
  finish(tx: Tx, body: Body): Promise<Body>
}

type Once<O extends Operation> = O extends { idempotent: true } ? Finish<OutputOf<O>> : unknown

export type CallOf<O extends Operation> = CallBase & Scope<O> & Once<O>

/** What a module offers for its contract; a missing operation does not compile. */
export type ContractHandlers<O extends Operations> = {
  readonly [N in keyof O]: (input: InputOf<O[N]>, call: CallOf<O[N]>) => Promise<OutputOf<O[N]>>
}
