import { fileURLToPath } from 'node:url'
import { runJobsCommand } from './jobs/run-jobs-command.ts'
import { StartError } from './start/start-error.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
try {
  process.exitCode = await runJobsCommand(process.argv.slice(2), { root, env: process.env })
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(`✗ ${error.message}`)
  process.exitCode = 1
}
