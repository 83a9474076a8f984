import { fileURLToPath } from 'node:url'
import { isApiProblem } from '@melmastoon/client'
import { runningSupervisor } from '../bootstrap/running-supervisor.mjs'
import { discoverServices } from '../start/discover-services.ts'
import { assignPorts } from '../start/ports.ts'
import { DemoFailure } from './guest/demo.ts'
import { runDay } from './staff/day.ts'
import { createStaffDemo } from './staff/demo.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const ports = assignPorts(discoverServices(root), process.env)
const local = (service: string) => `http://127.0.0.1:${ports.get(service)?.port}`

const { BACKOFFICE_URL: chosenUrl } = process.env
const {
  BACKOFFICE_URL = local('bff-backoffice-service'),
  SANDBOX_URL = local('platform-sandbox'),
  /** As the service is configured to know itself: what the proofs of devices name. */
  BACKOFFICE_PUBLIC_URL = BACKOFFICE_URL,
} = process.env

/** Null: both respond, and were started from this folder. */
async function reasonNotToStart(): Promise<string | null> {
  for (const url of [BACKOFFICE_URL, SANDBOX_URL]) {
    const isServing = await fetch(new URL('/health/live', url)).then(
      ({ ok }) => ok,
      () => false,
    )
    if (!isServing) return `No service responds at ${url}: run npm start first.`
  }
  if (chosenUrl !== undefined || runningSupervisor(root) !== null) return null
  return `The services at ${BACKOFFICE_URL} were started from another folder: run npm run demo:staff there, or set BACKOFFICE_URL and SANDBOX_URL.`
}

const reason = await reasonNotToStart()
if (reason === null) {
  const options = {
    backofficeUrl: BACKOFFICE_URL,
    publicUrl: BACKOFFICE_PUBLIC_URL,
    sandboxUrl: SANDBOX_URL,
  }
  const demo = createStaffDemo(options, (line) => process.stdout.write(`${line}\n`))
  await runDay(demo).catch((error: unknown) => {
    if (!(error instanceof DemoFailure) && !isApiProblem(error)) throw error
    process.stderr.write(`\n✗ ${error.message}\n`)
    process.exitCode = 1
  })
} else {
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}
