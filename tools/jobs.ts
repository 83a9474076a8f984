import { runJobsCommand } from './jobs/run-jobs-command.ts'
import { runCommandLine } from './start/run-command-line.ts'

await runCommandLine(runJobsCommand)
