import { runOutboxCommand } from './outbox/run-outbox-command.ts'
import { runCommandLine } from './start/run-command-line.ts'

await runCommandLine(runOutboxCommand)
