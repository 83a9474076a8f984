export { createFlags, type Flags, type FlagsOptions } from './flags.ts'
