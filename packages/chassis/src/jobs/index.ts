export {
  bindJobs,
  type ContextJob,
  type ContextJobOptions,
  contextJob,
  defineJob,
  type Job,
  type JobContext,
  type JobSummary,
  needsContext,
  type ServiceJob,
} from './job.ts'
export { type JobCommandOptions, runJobCommand } from './job-command.ts'
export {
  type PruneJobOptions,
  type PruneOptions,
  type PruneStatement,
  pruneJob,
  pruneJobs,
  type SharedTableJob,
} from './prune-job.ts'
export { type JobHost, type JobResult, type RunJobOptions, runJob } from './run-job.ts'
export { type JobSchedule, scheduleJobs } from './schedule-jobs.ts'
