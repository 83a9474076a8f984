export { crashPoint } from './crash-point.ts'
export { type RunningService, type RunServiceOptions, runService } from './run-service.ts'
export { runStopPhases, type StopPhase, type StopResult } from './stop-phases.ts'
