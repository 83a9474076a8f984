import type { OperationExamples } from '@melmastoon/chassis/http'
import { languageExamples } from './language-examples.ts'
import { offerExamples } from './offer-examples.ts'
import { REQUESTS } from './requests.ts'
import { RESPONSES } from './responses.ts'

type Operation = keyof typeof REQUESTS

const composed = Object.entries(REQUESTS).map(([operation, request]) => [
  operation,
  { ...request, responses: RESPONSES[operation as Operation] },
])

/** By operation: a traveller and a hotel of the demo world. A test sends them. */
export const EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  ...languageExamples,
  ...offerExamples,
  ...Object.fromEntries(composed),
}
