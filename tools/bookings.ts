import { runCommandLine } from './start/run-command-line.ts'
import { serviceCommand } from './start/service-command.ts'

/** `npm run bookings -- show <draftId> | due <draftId> | due all`. */
await runCommandLine(serviceCommand({ service: 'bff-tenant-booking-service', command: 'bookings' }))
