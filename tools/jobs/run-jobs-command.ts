import {
  type LocalProduct,
  type LocalProductOptions,
  openLocalProduct,
} from '../start/local-product.ts'
import { StartError } from '../start/messages.ts'
import { chooseJob, type ServiceJobs } from './choose-job.ts'

/** `npm run jobs`, `npm run jobs -- <service>`, `npm run jobs -- [<service>] <name>`. */
export async function runJobsCommand(
  words: readonly string[],
  options: LocalProductOptions,
): Promise<number> {
  const product = openLocalProduct(options)
  const known = await listJobs(product)
  const chosen = chooseJob(words, known)
  if (chosen === null) return printJobs(words[0], known)
  await product.assertStarted()
  const service = product.services.find((each) => each.name === chosen.service)
  if (service === undefined) throw new TypeError(`no service ${chosen.service}`)
  const run = { words: ['jobs', 'run', chosen.job], shown: true }
  const { exitCode } = await product.run(service, run)
  return exitCode ?? 1
}

async function listJobs(product: LocalProduct): Promise<ServiceJobs[]> {
  const listings = product.services.map(async (service): Promise<ServiceJobs> => {
    const { exitCode, output } = await product.run(service, {
      words: ['jobs', 'list'],
      shown: false,
    })
    if (exitCode !== 0) throw new StartError(`${service.name} cannot list its jobs.`)
    return { service: service.name, jobs: output.split('\n').filter((line) => line !== '') }
  })
  return Promise.all(listings)
}

function printJobs(only: string | undefined, known: readonly ServiceJobs[]): number {
  const shown = known.filter(({ service }) => only === undefined || service === only)
  if (shown.length === 0) console.log('There are no services yet.')
  for (const { service, jobs } of shown) {
    console.log(service)
    for (const job of jobs) console.log(`  ${job}`)
  }
  console.log('\nnpm run jobs -- <service> <name> runs one.')
  return 0
}
