import { runFlagsCommand } from './flags/run-flags-command.ts'
import { runCommandLine } from './start/run-command-line.ts'

await runCommandLine(runFlagsCommand)
