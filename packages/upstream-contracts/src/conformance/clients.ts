import type { UpstreamName } from '../contract.ts'
import { CONTRACTS, type Contracts } from './contracts.ts'
import type { TestHotel } from './find-test-hotel.ts'
import type { StaffAccount } from './sign-in-staff.ts'
import { type CallObserver, createStrictClient, type StrictClient } from './strict-client.ts'
import type { Target } from './wire.ts'

export type Clients = {
  readonly [U in keyof Contracts]: StrictClient<Contracts[U]['operations']>
}

export function createClients(target: Target, observer: CallObserver): Clients {
  return {
    tenant: createStrictClient(CONTRACTS.tenant, target, observer),
    theme: createStrictClient(CONTRACTS.theme, target, observer),
    property: createStrictClient(CONTRACTS.property, target, observer),
    search: createStrictClient(CONTRACTS.search, target, observer),
    pricing: createStrictClient(CONTRACTS.pricing, target, observer),
    inventory: createStrictClient(CONTRACTS.inventory, target, observer),
    housekeeping: createStrictClient(CONTRACTS.housekeeping, target, observer),
    maintenance: createStrictClient(CONTRACTS.maintenance, target, observer),
    reservation: createStrictClient(CONTRACTS.reservation, target, observer),
    payment: createStrictClient(CONTRACTS.payment, target, observer),
    iam: createStrictClient(CONTRACTS.iam, target, observer),
    notification: createStrictClient(CONTRACTS.notification, target, observer),
    lock: createStrictClient(CONTRACTS.lock, target, observer),
    billing: createStrictClient(CONTRACTS.billing, target, observer),
    ai: createStrictClient(CONTRACTS.ai, target, observer),
    sync: createStrictClient(CONTRACTS.sync, target, observer),
  }
}

export interface ScriptContext {
  readonly clients: Clients
  /** Found on first use. */
  readonly testHotel: () => Promise<TestHotel>
  /** The token of a card that can be charged; specific to the payment provider. */
  readonly cardToken: string
  readonly staffAccount: () => StaffAccount
}

/** Calls every operation of an upstream at least once, in a valid order. */
export interface Script {
  readonly upstream: UpstreamName
  run(context: ScriptContext): Promise<void>
}
