import { runCommandLine } from './start/run-command-line.ts'
import { serviceCommand } from './start/service-command.ts'

/** `npm run lake -- "<select>"`: the files of the lake, also while the product is not running. */
await runCommandLine(
  serviceCommand({ service: 'bff-backoffice-service', command: 'lake', worksStopped: true }),
)
