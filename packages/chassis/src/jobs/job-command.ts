import { isProblem } from '@melmastoon/domain'
import type { Job } from './job.ts'
import { type JobHost, runJob } from './run-job.ts'

export interface JobCommandOptions {
  jobs: readonly Pick<Job, 'name'>[]
  /** Opens the resources that a run of the named job needs; `list` needs none. */
  open(name: string): Promise<JobHost & AsyncDisposable>
  print?: (line: string) => void
}

const USAGE = 'list | run <name>'

/** The command line of a service's jobs (P11). Resolves to the exit code. */
export async function runJobCommand(
  words: readonly string[],
  options: JobCommandOptions,
): Promise<number> {
  const print = options.print ?? ((line) => process.stdout.write(`${line}\n`))
  const [verb, name] = words
  if (verb === 'list') {
    for (const job of options.jobs) print(job.name)
    return 0
  }
  if (verb !== 'run' || name === undefined) {
    print(USAGE)
    return 2
  }
  await using host = await options.open(name)
  try {
    const result = await runJob(host, name)
    print(JSON.stringify(result))
    return result.outcome === 'done' ? 0 : 1
  } catch (error) {
    if (!isProblem(error)) throw error
    print(`${error.code} ${error.detail}`)
    return 1
  }
}
