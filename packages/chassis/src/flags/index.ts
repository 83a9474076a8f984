export { createFlags, type Flags, type FlagsOptions, SAMPLE_RATES } from './flags.ts'
export { type FlagDocument, runFlagsCommand } from './flags-command.ts'
export { createTenantFlags, type TenantFlags } from './tenant-flags.ts'
