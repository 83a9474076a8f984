import { dataRoot } from '@melmastoon/one-machine'
import { openMachineSecrets } from '../start/machine-secrets.ts'
import { travel } from './traveller/journey.ts'
import { openClient } from './traveller/open-client.ts'
import { sayTo } from './traveller/say.ts'
import { type HotelDoor, useLink } from './traveller/use-link.ts'

const {
  CONSUMER_URL = 'http://127.0.0.1:8081',
  CONSUMER_INTERNAL_URL = 'http://127.0.0.1:9081',
  SERVICE_SECRET,
  HANDOFF_KEY,
} = process.env

/** The secrets that `npm start` made for this machine, unless others are given. */
function openDoor(): HotelDoor {
  const secrets = openMachineSecrets(dataRoot())
  return {
    internalUrl: CONSUMER_INTERNAL_URL,
    serviceSecret: SERVICE_SECRET ?? secrets.get('service-to-service'),
    handoffKey: Buffer.from(HANDOFF_KEY ?? secrets.get('handoff'), 'base64url'),
  }
}

async function isServing(): Promise<boolean> {
  return fetch(new URL('/health/live', CONSUMER_URL)).then(
    ({ ok }) => ok,
    () => false,
  )
}

if (await isServing()) {
  const say = sayTo((line) => process.stdout.write(`${line}\n`))
  const link = await travel({ api: openClient(CONSUMER_URL), say, today: new Date() })
  say.step('At the hotel’s door')
  await useLink(link, openDoor(), say)
} else {
  process.stderr.write(`Nobody answers at ${CONSUMER_URL}: run npm start first.\n`)
  process.exitCode = 1
}
