import type { ServiceSpec } from '../start/service-spec.ts'
import { StartError } from '../start/start-error.ts'

export interface ChosenOutbox {
  service: ServiceSpec
  program: string
  words: readonly string[]
}

/** `[<service>] <verb> …`: the service may be left out while only one has an outbox. */
export function chooseOutbox(
  words: readonly string[],
  services: readonly ServiceSpec[],
): ChosenOutbox {
  const having = services.flatMap((service) =>
    service.outbox === undefined ? [] : [{ service, program: service.outbox }],
  )
  const named = having.find(({ service }) => service.name === words[0])
  if (named !== undefined) return { ...named, words: words.slice(1) }
  const [only, another] = having
  if (only === undefined) throw new StartError('No service declares an outbox yet.')
  if (another === undefined) return { ...only, words }
  const names = having.map(({ service }) => service.name).join(', ')
  throw new StartError(`Name a service first, one of: ${names}.`)
}
