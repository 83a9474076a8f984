import { runLakeCommand } from './lake/run-lake-command.ts'
import { runCommandLine } from './start/run-command-line.ts'

await runCommandLine(runLakeCommand)
