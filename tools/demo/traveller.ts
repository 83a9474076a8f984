import { dataRoot } from '@melmastoon/one-machine'
import { openMachineSecrets } from '../start/machine-secrets.ts'
import { localUrls, runDemo } from './shared/run-demo.ts'
import { sayTo } from './shared/say.ts'
import { travel } from './traveller/journey.ts'
import { openClient } from './traveller/open-client.ts'
import { type BookingSite, useLink } from './traveller/use-link.ts'

const local = localUrls()
const { CONSUMER_URL: chosenUrl } = process.env
const {
  CONSUMER_URL = local('bff-consumer-service'),
  CONSUMER_INTERNAL_URL = local('bff-consumer-service', 'internalPort'),
  SERVICE_SECRET,
  HANDOFF_KEY,
} = process.env

/** With the secrets that `npm start` generated on this machine, unless others are given. */
function openBookingSite(): BookingSite {
  const secrets = openMachineSecrets(dataRoot())
  return {
    internalUrl: CONSUMER_INTERNAL_URL,
    serviceSecret: SERVICE_SECRET ?? secrets.get('service-to-service'),
    handoffKey: Buffer.from(HANDOFF_KEY ?? secrets.get('handoff'), 'base64url'),
  }
}

const needs = {
  urls: [CONSUMER_URL],
  isChosen: chosenUrl !== undefined,
  advice: `The service at ${CONSUMER_URL} was started from another folder: run npm run demo:traveller there, or set CONSUMER_URL, CONSUMER_INTERNAL_URL, SERVICE_SECRET and HANDOFF_KEY.`,
}

await runDemo(needs, async (write) => {
  const say = sayTo(write)
  const link = await travel({ api: openClient(CONSUMER_URL), say, today: new Date() })
  say.step('Use the link at the booking service')
  await useLink(link, openBookingSite(), say)
})
