import type { Tx } from '@melmastoon/chassis/db'
import type { Locale, TenantId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { InputOf, Operation, Operations, OutputOf } from '@melmastoon/upstream-contracts'

interface CallBase {
  /** The calling service, verified by its credentials. */
  readonly caller: string
  readonly locale: Locale
  /** The cause of the events of this call. */
  readonly cause: EventContext
  /** The scenario of `X-Sandbox-Scenario`; every module defines its own. */
  readonly scenario: string | undefined
}

type Scope<O> = O extends { tenantScoped: true } ? { readonly tenantId: TenantId } : unknown

interface Finish<Body> {
  /** The caller's idempotency key: the same for every retry. */
  readonly key: string
  /**
   * Stores the response in the transaction of the effect, so that a retry after a crash finds both
   * or none, and returns it.
   */
  finish(tx: Tx, body: Body): Promise<Body>
}

type Once<O extends Operation> = O extends { idempotent: true } ? Finish<OutputOf<O>> : unknown

export type CallOf<O extends Operation> = CallBase & Scope<O> & Once<O>

/** The handlers of a contract; a missing operation does not compile. */
export type ContractHandlers<O extends Operations> = {
  readonly [N in keyof O]: (input: InputOf<O[N]>, call: CallOf<O[N]>) => Promise<OutputOf<O[N]>>
}
