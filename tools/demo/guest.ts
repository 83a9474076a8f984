import { fileURLToPath } from 'node:url'
import { isApiProblem } from '@melmastoon/client'
import { dataRoot } from '@melmastoon/one-machine'
import { runningSupervisor } from '../bootstrap/running-supervisor.mjs'
import { discoverServices } from '../start/discover-services.ts'
import { openMachineSecrets } from '../start/machine-secrets.ts'
import { assignPorts } from '../start/ports.ts'
import {
  bookAfterDecline,
  bookByCard,
  bookByCash,
  bookByPhone,
  bookLate,
  payTooLate,
} from './guest/bookings.ts'
import { ControlRoom } from './guest/control-room.ts'
import { createDemo, DemoFailure } from './guest/demo.ts'
import { findHotel } from './guest/find-hotel.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const ports = assignPorts(discoverServices(root), process.env)
const local = (service: string) => `http://127.0.0.1:${ports.get(service)?.port}`

const { BOOKING_URL: chosenUrl } = process.env
const {
  CONSUMER_URL = local('bff-consumer-service'),
  BOOKING_URL = local('bff-tenant-booking-service'),
  SANDBOX_URL = local('platform-sandbox'),
  SERVICE_SECRET,
} = process.env

/** Null: everything responds, and was started from this folder. */
async function reasonNotToStart(): Promise<string | null> {
  for (const url of [CONSUMER_URL, BOOKING_URL, SANDBOX_URL]) {
    const isServing = await fetch(new URL('/health/live', url)).then(
      ({ ok }) => ok,
      () => false,
    )
    if (!isServing) return `No service responds at ${url}: run npm start first.`
  }
  if (chosenUrl !== undefined || runningSupervisor(root) !== null) return null
  return `The services at ${BOOKING_URL} were started from another folder: run npm run demo:guest there, or set CONSUMER_URL, BOOKING_URL, SANDBOX_URL and SERVICE_SECRET.`
}

async function run(): Promise<void> {
  const serviceSecret = SERVICE_SECRET ?? openMachineSecrets(dataRoot()).get('service-to-service')
  const room = new ControlRoom({ url: SANDBOX_URL, serviceSecret })
  const options = { consumerUrl: CONSUMER_URL, bookingUrl: BOOKING_URL, room, today: new Date() }
  const demo = createDemo(options, (line) => process.stdout.write(`${line}\n`))
  demo.say.title('From a search to the hotel’s own site')
  const link = await findHotel(demo)
  await bookByCard(demo, link)
  await bookByCash(demo, link)
  await bookByPhone(demo, link)
  await bookAfterDecline(demo, link)
  await bookLate(demo, link)
  await payTooLate(demo, link)
  demo.say.title('Six bookings: five confirmed, one refunded')
}

const reason = await reasonNotToStart()
if (reason === null) {
  await run().catch((error: unknown) => {
    if (!(error instanceof DemoFailure) && !isApiProblem(error)) throw error
    process.stderr.write(`\n✗ ${error.message}\n`)
    process.exitCode = 1
  })
} else {
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}
