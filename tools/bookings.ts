import { runBookingsCommand } from './bookings/run-bookings-command.ts'
import { runCommandLine } from './start/run-command-line.ts'

await runCommandLine(runBookingsCommand)
