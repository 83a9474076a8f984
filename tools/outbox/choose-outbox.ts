import { StartError } from '../start/messages.ts'
import type { ServiceSpec } from '../start/service-spec.ts'

export interface ChosenOutbox {
  service: ServiceSpec
  words: readonly string[]
}

/** Commands that change nothing may run for every service. */
const READ_ONLY = ['depth', 'dead']

/** `[<service>] <verb> …`: without a service all of them, where the verb changes nothing. */
export function chooseOutboxes(
  words: readonly string[],
  services: readonly ServiceSpec[],
): ChosenOutbox[] {
  const named = services.find((service) => service.name === words[0])
  if (named !== undefined) return [{ service: named, words: words.slice(1) }]
  if (services.length === 0) throw new StartError('There are no services yet.')
  if (services.length === 1 || READ_ONLY.includes(words[0] ?? '')) {
    return services.map((service) => ({ service, words }))
  }
  const names = services.map(({ name }) => name).join(', ')
  throw new StartError(
    `Name a command: depth, dead, or <service> replay <eventId>… | replay-since <time>, with one of: ${names}.`,
  )
}
