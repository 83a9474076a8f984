import { runJobCommand } from '@melmastoon/chassis/jobs'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'
import { exampleJobs, jobHost } from './jobs.ts'

process.exitCode = await runJobCommand(process.argv.slice(2), {
  jobs: exampleJobs,
  open() {
    const ctx = createContext(readConfig(process.env))
    return { ...jobHost(ctx), [Symbol.asyncDispose]: () => ctx[Symbol.asyncDispose]() }
  },
})
