import { type Statement, sql } from '@melmastoon/chassis/db'

export function unknownAmenities(codes: readonly string[]): Statement<{ code: string }> {
  return sql<{ code: string }>`
    select asked.code from unnest(${codes}::text[]) as asked (code)
    where not exists (select 1 from sandbox.property_amenity a where a.code = asked.code)`
}
