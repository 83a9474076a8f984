import type { ServiceSpec } from '../start/service-spec.ts'
import { StartError } from '../start/start-error.ts'

export interface ChosenOutbox {
  service: ServiceSpec
  program: string
  words: readonly string[]
}

/** What only looks may look everywhere. */
const LOOKING = ['depth', 'dead']

/** `[<service>] <verb> …`: without a service all of them, where the verb changes nothing. */
export function chooseOutboxes(
  words: readonly string[],
  services: readonly ServiceSpec[],
): ChosenOutbox[] {
  const having = services.flatMap((service) =>
    service.outbox === undefined ? [] : [{ service, program: service.outbox }],
  )
  const named = having.find(({ service }) => service.name === words[0])
  if (named !== undefined) return [{ ...named, words: words.slice(1) }]
  if (having.length === 0) throw new StartError('No service declares an outbox yet.')
  if (having.length === 1 || LOOKING.includes(words[0] ?? '')) {
    return having.map((each) => ({ ...each, words }))
  }
  const names = having.map(({ service }) => service.name).join(', ')
  throw new StartError(
    `Say what to do: depth, dead, or <service> replay <eventId>… | replay-since <time>, with one of: ${names}.`,
  )
}
