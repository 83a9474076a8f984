import { fileURLToPath } from 'node:url'
import { isApiProblem } from '@melmastoon/client/source'
import { dataRoot } from '@melmastoon/one-machine'
import { discoverServices } from '../../start/discover-services.ts'
import { assignPorts, type ServicePorts } from '../../start/ports.ts'
import { isServedFrom } from '../../start/run-addresses.ts'
import { DemoFailure } from './demo-failure.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Where `npm start` in this folder serves each service. */
export function localUrls(): (service: string, listener?: keyof ServicePorts) => string {
  const ports = assignPorts(discoverServices(root), process.env)
  return (service, listener = 'port') => `http://127.0.0.1:${ports.get(service)?.[listener]}`
}

async function isServing(url: string): Promise<boolean> {
  return fetch(new URL('/health/live', url)).then(
    ({ ok }) => ok,
    () => false,
  )
}

export interface DemoNeeds {
  /** Services that must respond. */
  readonly urls: readonly string[]
  /** The caller chose the addresses; otherwise this folder must have started the services. */
  readonly isChosen: boolean
  /** What to do if the services were started from another folder. */
  readonly advice: string
}

/** Null: everything responds, and was started from this folder. */
async function reasonNotToStart({ urls, isChosen, advice }: DemoNeeds): Promise<string | null> {
  for (const url of urls) {
    if (!(await isServing(url))) return `No service responds at ${url}: run npm start first.`
  }
  const isOurs = (url: string) => isServedFrom(dataRoot(), Number(new URL(url).port))
  return isChosen || urls.every(isOurs) ? null : advice
}

/** Prints what a user can do instead of a stack, and sets the exit code. */
export async function runDemo(
  needs: DemoNeeds,
  run: (write: (line: string) => void) => Promise<void>,
): Promise<void> {
  const reason = await reasonNotToStart(needs)
  if (reason !== null) return fail(reason)
  await run((line) => process.stdout.write(`${line}\n`)).catch((error: unknown) => {
    if (!(error instanceof DemoFailure) && !isApiProblem(error)) throw error
    fail(`\n✗ ${error.message}`)
  })
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
