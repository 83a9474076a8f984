import type { EventDefinition } from './definition.ts'
import { findPersonalData } from './pii.ts'
import { parseSubject } from './subject.ts'

/** Programming errors, so a TypeError at start; all of them are reported at once. */
export function checkDefinitions(definitions: readonly EventDefinition[]): void {
  const subjects = definitions.map((definition) => definition.subject)
  const repeated = subjects.filter((subject, index) => subjects.indexOf(subject) !== index)
  const mistakes = [
    ...repeated.map((subject) => `${subject}: defined twice`),
    ...definitions.flatMap((definition) =>
      checkDefinition(definition).map((mistake) => `${definition.subject}: ${mistake}`),
    ),
  ]
  if (mistakes.length > 0) throw new TypeError(`Event registry:\n${mistakes.join('\n')}`)
}

function checkDefinition(definition: EventDefinition): string[] {
  const { subject, version, sampleRate, retentionClass, debounceSeconds } = definition
  const mistakes = findPersonalData(definition)
  const parts = parseSubject(subject)
  if (parts === null) mistakes.push('not an event subject')
  else if (parts.version !== version) mistakes.push('version differs from the subject')
  if (!(sampleRate >= 0 && sampleRate <= 1)) mistakes.push('sampleRate is not a share')
  if (retentionClass !== 'operational' && sampleRate !== 1) {
    mistakes.push('audit and regulated events must not be sampled')
  }
  if (!isPositive(definition.retentionDays)) mistakes.push('retentionDays must be positive')
  if (debounceSeconds !== undefined && !isPositive(debounceSeconds)) {
    mistakes.push('debounceSeconds must be positive')
  }
  return mistakes
}

function isPositive(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}
