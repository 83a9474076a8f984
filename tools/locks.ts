import { runLocksCommand } from './locks/run-locks-command.ts'
import { runCommandLine } from './start/run-command-line.ts'

await runCommandLine(runLocksCommand)
