export { startFakeUpstreams } from './start-fake-upstreams.ts'
export type { Behaviour, FakeUpstreams, Hotel, Mode, Name, UpstreamRequest } from './types.ts'
