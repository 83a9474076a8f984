import { openRelayDatabase } from '@melmastoon/chassis/db'
import { runJobCommand } from '@melmastoon/chassis/jobs'
import { readBaseConfig } from './config.ts'
import { consumerJobs, jobHost } from './jobs.ts'

process.exitCode = await runJobCommand(process.argv.slice(2), {
  jobs: consumerJobs,
  open() {
    const config = readBaseConfig(process.env)
    const opened = openRelayDatabase(config)
    return { ...opened, ...jobHost(opened.db, config.instance, opened.logger) }
  },
})
