import { CONTRACTS, type Contracts } from './contracts.ts'
import { createStrictClient, type StrictClient, type Witness } from './strict-client.ts'
import type { Target } from './target.ts'

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
