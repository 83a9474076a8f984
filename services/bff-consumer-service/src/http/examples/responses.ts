import type { OperationExamples } from '@melmastoon/chassis/http'
import { comparisonResponse } from './comparison-response.ts'
import { hotelResponses } from './hotel-responses.ts'
import { listResponses } from './list-responses.ts'
import { mapResponse } from './map-response.ts'
import type { REQUESTS } from './requests.ts'
import { searchResponses } from './search-responses.ts'
import { sessionResponses } from './session-responses.ts'

/** What is received, by status; of 204 there is nothing to show. */
export const RESPONSES: Readonly<
  Record<keyof typeof REQUESTS, NonNullable<OperationExamples['responses']>>
> = {
  ...searchResponses,
  ...mapResponse,
  ...hotelResponses,
  ...comparisonResponse,
  ...listResponses,
  ...sessionResponses,
}
