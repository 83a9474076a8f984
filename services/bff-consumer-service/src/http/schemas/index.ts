import type { SchemaNotes } from '@melmastoon/chassis/http'
import { hotelSchemas } from './hotel-schemas.ts'
import { DOCUMENTED_LABELS } from './labels.ts'
import { searchSchemas } from './search-schemas.ts'
import { sessionSchemas } from './session-schemas.ts'
import { TERMS } from './terms.ts'

/** Names and texts of all schemas of the document; tests report what is missing or unused. */
export const SCHEMAS: SchemaNotes = {
  schemas: { ...searchSchemas, ...hotelSchemas, ...sessionSchemas },
  terms: TERMS,
  labels: DOCUMENTED_LABELS,
}
