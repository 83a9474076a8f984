import { runCommandLine } from './start/run-command-line.ts'
import { serviceCommand } from './start/service-command.ts'

/** `npm run locks -- show <id>`, `show open`, `settle <id> success|failure <operatorId>`. */
await runCommandLine(serviceCommand({ service: 'bff-backoffice-service', command: 'locks' }))
