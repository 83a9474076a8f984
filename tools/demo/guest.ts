import { dataRoot } from '@melmastoon/one-machine'
import { openMachineSecrets } from '../start/machine-secrets.ts'
import {
  bookAfterDecline,
  bookByCard,
  bookByCash,
  bookByPhone,
  bookLate,
  payTooLate,
} from './guest/bookings.ts'
import { ControlRoom } from './guest/control-room.ts'
import { findHotel } from './guest/find-hotel.ts'
import { localUrls, runDemo } from './shared/run-demo.ts'
import { timedSayTo } from './shared/say.ts'

const local = localUrls()
const { BOOKING_URL: chosenUrl } = process.env
const {
  CONSUMER_URL = local('bff-consumer-service'),
  BOOKING_URL = local('bff-tenant-booking-service'),
  SANDBOX_URL = local('platform-sandbox'),
  SERVICE_SECRET,
} = process.env

const needs = {
  urls: [CONSUMER_URL, BOOKING_URL, SANDBOX_URL],
  isChosen: chosenUrl !== undefined,
  advice: `The services at ${BOOKING_URL} were started from another folder: run npm run demo:guest there, or set CONSUMER_URL, BOOKING_URL, SANDBOX_URL and SERVICE_SECRET.`,
}

await runDemo(needs, async (write) => {
  const serviceSecret = SERVICE_SECRET ?? openMachineSecrets(dataRoot()).get('service-to-service')
  const room = new ControlRoom({ url: SANDBOX_URL, serviceSecret })
  const options = { consumerUrl: CONSUMER_URL, bookingUrl: BOOKING_URL, room, today: new Date() }
  const demo = { ...options, ...timedSayTo(write) }
  demo.say.title('From a search to the hotel’s own site')
  const link = await findHotel(demo)
  await bookByCard(demo, link)
  await bookByCash(demo, link)
  await bookByPhone(demo, link)
  await bookAfterDecline(demo, link)
  await bookLate(demo, link)
  await payTooLate(demo, link)
  demo.say.title('Six bookings: five confirmed, one refunded')
})
