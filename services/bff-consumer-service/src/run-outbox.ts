import { createDatabase } from '@melmastoon/chassis/db'
import { runOutboxCommand } from '@melmastoon/chassis/outbox'
import { createLogger } from '@melmastoon/chassis/telemetry'
import { readBaseConfig } from './config.ts'

process.exitCode = await runOutboxCommand(process.argv.slice(2), {
  open() {
    const config = readBaseConfig(process.env)
    const logger = createLogger({ service: config.service, level: config.logLevel })
    const onError = (error: unknown) =>
      logger.warn({ event: 'dependency', error }, 'database error')
    const db = createDatabase({ url: config.relayUrl, poolMax: 1, onError })
    return { db, [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() }
  },
})
