export { startStandIn } from './stand-in/start-stand-in.ts'
export type { Asked, Behaviour, Hotel, Mood, Name, StandIn } from './stand-in/types.ts'
