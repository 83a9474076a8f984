import { openRelayDatabase } from '@melmastoon/chassis/db'
import { runOutboxCommand } from '@melmastoon/chassis/outbox'
import { readBaseConfig } from './config.ts'

process.exitCode = await runOutboxCommand(process.argv.slice(2), {
  open: () => openRelayDatabase(readBaseConfig(process.env)),
})
