import type { OperationExamples } from '@melmastoon/chassis/http'
import { hotelResponses } from './hotel-responses.ts'
import { listResponses } from './list-responses.ts'
import type { REQUESTS } from './requests.ts'
import { searchResponses } from './search-responses.ts'
import { sessionResponses } from './session-responses.ts'

/** What is received, by status; of 204 there is nothing to show. */
export const RESPONSES: Readonly<
  Record<keyof typeof REQUESTS, NonNullable<OperationExamples['responses']>>
> = { ...searchResponses, ...hotelResponses, ...listResponses, ...sessionResponses }
