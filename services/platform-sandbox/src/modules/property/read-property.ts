import type { Database } from '@melmastoon/chassis/db'
import { idToUuid, type PropertyId, problem } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { toDetail } from './house.ts'
import { findHouse } from './property-sql.ts'

export interface PropertyReader {
  readonly db: Pick<Database, 'query'>
  readonly publicUrl: string
}

export async function findProperty(
  { db, publicUrl }: PropertyReader,
  propertyId: PropertyId,
): Promise<PropertyDetail | null> {
  const [row] = await db.query(findHouse(idToUuid(propertyId)))
  return row === undefined ? null : toDetail(row, publicUrl)
}

export async function readProperty(
  reader: PropertyReader,
  propertyId: PropertyId,
): Promise<PropertyDetail> {
  const property = await findProperty(reader, propertyId)
  if (property === null) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  return property
}
