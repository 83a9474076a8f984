export { startStandIn } from './start-fake-upstreams.ts'
export type { Asked, Behaviour, Hotel, Mood, Name, StandIn } from './types.ts'
