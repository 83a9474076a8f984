import { dataRoot } from '@melmastoon/one-machine'
import { openMachineSecrets } from '../start/machine-secrets.ts'
import { isServing } from './shared/run-demo.ts'
import { sayTo } from './shared/say.ts'
import { travel } from './traveller/journey.ts'
import { openClient } from './traveller/open-client.ts'
import { type BookingSite, useLink } from './traveller/use-link.ts'

const {
  CONSUMER_URL = 'http://127.0.0.1:8081',
  CONSUMER_INTERNAL_URL = 'http://127.0.0.1:9081',
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

if (await isServing(CONSUMER_URL)) {
  const say = sayTo((line) => process.stdout.write(`${line}\n`))
  const link = await travel({ api: openClient(CONSUMER_URL), say, today: new Date() })
  say.step('Use the link at the booking service')
  await useLink(link, openBookingSite(), say)
} else {
  process.stderr.write(`No service responds at ${CONSUMER_URL}: run npm start first.\n`)
  process.exitCode = 1
}
