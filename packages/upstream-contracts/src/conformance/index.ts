export type { CheckResult } from './check.ts'
export { type ConformanceOptions, runConformance } from './run-conformance.ts'
export type { Target } from './wire.ts'
