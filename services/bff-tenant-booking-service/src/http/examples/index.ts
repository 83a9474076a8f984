import type { OperationExamples } from '@melmastoon/chassis/http'
import { bookingExamples } from './booking-examples.ts'
import { confirmationExamples } from './confirmation-examples.ts'
import { siteExamples } from './site-examples.ts'
import { stayExamples } from './stay-examples.ts'

/** By operation; a test sends the bodies and validates the responses. */
export const EXAMPLES = {
  ...siteExamples,
  ...stayExamples,
  ...bookingExamples,
  ...confirmationExamples,
} as const satisfies Readonly<Record<string, OperationExamples>>
