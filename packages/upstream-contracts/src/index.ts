export { type CallOf, createUpstreamClient, type UpstreamClient } from './client.ts'
export {
  type CalledService,
  type Contract,
  defineContract,
  type InputOf,
  type Operation,
  type Operations,
  type OutputOf,
  UPSTREAMS,
  type UpstreamName,
} from './contract.ts'
export {
  currency,
  Geo,
  id,
  instant,
  isoDate,
  LocalizedString,
  locale,
  MicroMoney,
  named,
  Occupancy,
  Stay,
  text,
} from './schemas.ts'
