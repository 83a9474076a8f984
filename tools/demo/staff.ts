import { localUrls, runDemo } from './shared/run-demo.ts'
import { timedSayTo } from './shared/say.ts'
import { runDay } from './staff/day.ts'

const local = localUrls()
const { BACKOFFICE_URL: chosenUrl } = process.env
const {
  BACKOFFICE_URL = local('bff-backoffice-service'),
  SANDBOX_URL = local('platform-sandbox'),
  /** As the service is configured to know itself: what the proofs of devices name. */
  BACKOFFICE_PUBLIC_URL = BACKOFFICE_URL,
} = process.env

const needs = {
  urls: [BACKOFFICE_URL, SANDBOX_URL],
  isChosen: chosenUrl !== undefined,
  advice: `The services at ${BACKOFFICE_URL} were started from another folder: run npm run demo:staff there, or set BACKOFFICE_URL and SANDBOX_URL.`,
}

await runDemo(needs, async (write) => {
  await runDay({
    ...timedSayTo(write),
    backofficeUrl: BACKOFFICE_URL,
    publicUrl: BACKOFFICE_PUBLIC_URL,
    sandboxUrl: SANDBOX_URL,
  })
})
