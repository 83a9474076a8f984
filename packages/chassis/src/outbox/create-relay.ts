import type { RelayOptions } from './relay-options.ts'
import { type Relay, ShardedRelay } from './sharded-relay.ts'

/** Moves committed events to the bus (P4): at least once, in order per key, by many relays. */
export function createRelay(options: RelayOptions): Relay {
  return new ShardedRelay(options, { fenced: true })
}
