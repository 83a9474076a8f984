import type { UpstreamName } from '../contract.ts'
import { CONTRACTS, type Contracts } from './contracts.ts'
import type { Scene } from './find-scene.ts'
import { createStrictClient, type StrictClient, type Witness } from './strict-client.ts'
import type { Target } from './wire.ts'

export type Clients = {
  readonly [U in keyof Contracts]: StrictClient<Contracts[U]['operations']>
}

export function createClients(target: Target, witness: Witness): Clients {
  return {
    tenant: createStrictClient(CONTRACTS.tenant, target, witness),
    theme: createStrictClient(CONTRACTS.theme, target, witness),
    property: createStrictClient(CONTRACTS.property, target, witness),
    search: createStrictClient(CONTRACTS.search, target, witness),
    pricing: createStrictClient(CONTRACTS.pricing, target, witness),
    inventory: createStrictClient(CONTRACTS.inventory, target, witness),
    reservation: createStrictClient(CONTRACTS.reservation, target, witness),
    payment: createStrictClient(CONTRACTS.payment, target, witness),
  }
}

export interface Stage {
  readonly clients: Clients
  /** Looked for when it is first asked for. */
  readonly scene: () => Promise<Scene>
  /** Of a card that can be charged; the provider's own. */
  readonly cardToken: string
}

/** Every operation of an upstream at least once, in an order that makes sense. */
export interface Script {
  readonly upstream: UpstreamName
  run(stage: Stage): Promise<void>
}
