import type { UpstreamName } from '../contract.ts'
import type { Clients } from './clients.ts'
import type { Scene } from './find-scene.ts'

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
