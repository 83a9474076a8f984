import { fileURLToPath } from 'node:url'
import { startCommand } from './start-command.ts'

process.exit(await startCommand(fileURLToPath(new URL('../../', import.meta.url))))
