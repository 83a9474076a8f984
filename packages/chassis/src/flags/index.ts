export { createFlags, type Flags, type FlagsOptions, SAMPLE_RATES } from './flags.ts'
export { createTenantFlags, type TenantFlags } from './tenant-flags.ts'
