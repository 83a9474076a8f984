import { StartError } from '../start/messages.ts'

export interface ServiceJobs {
  service: string
  jobs: readonly string[]
}

export interface ChosenJob {
  service: string
  job: string
}

/** `<service> <name>`, or `<name>` alone where only one service has it. Null: list them. */
export function chooseJob(
  words: readonly string[],
  known: readonly ServiceJobs[],
): ChosenJob | null {
  const [first, second] = words
  if (first === undefined) return null
  const service = known.find((each) => each.service === first)
  if (second === undefined) return service === undefined ? chooseByName(first, known) : null
  if (service === undefined) throw new StartError(`There is no service ${first} with jobs.`)
  if (!service.jobs.includes(second)) throw noSuchJob(second, service.jobs)
  return { service: first, job: second }
}

function chooseByName(job: string, known: readonly ServiceJobs[]): ChosenJob {
  const having = known.filter((each) => each.jobs.includes(job)).map((each) => each.service)
  const [service, another] = having
  if (another !== undefined) {
    throw new StartError(`${having.join(' and ')} each have a job ${job}: name the service first.`)
  }
  if (service === undefined) {
    throw noSuchJob(
      job,
      known.flatMap((each) => each.jobs),
    )
  }
  return { service, job }
}

function noSuchJob(job: string, jobs: readonly string[]): StartError {
  return new StartError(`There is no job ${job}. Known: ${jobs.join(', ') || 'none'}.`)
}
