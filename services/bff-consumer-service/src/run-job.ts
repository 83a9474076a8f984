import { createDatabase } from '@melmastoon/chassis/db'
import { runJobCommand } from '@melmastoon/chassis/jobs'
import { createLogger } from '@melmastoon/chassis/telemetry'
import { readBaseConfig } from './config.ts'
import { consumerJobs, jobHost } from './jobs.ts'

process.exitCode = await runJobCommand(process.argv.slice(2), {
  jobs: consumerJobs,
  open() {
    const config = readBaseConfig(process.env)
    const logger = createLogger({ service: config.service, level: config.logLevel })
    const onError = (error: unknown) =>
      logger.warn({ event: 'dependency', error }, 'database error')
    const db = createDatabase({ url: config.relayUrl, poolMax: 2, onError })
    const host = jobHost(db, config.instance, logger)
    return { ...host, [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() }
  },
})
