export { startFakeUpstreams } from './start-fake-upstreams.ts'
export type { Asked, Behaviour, FakeUpstreams, Hotel, Mood, Name } from './types.ts'
