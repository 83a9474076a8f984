import type { Database } from '@melmastoon/chassis/db'
import { idToUuid, type TenantId } from '@melmastoon/domain'
import { type PhotoId, readPhotoId } from '../../drawings/photo-id.ts'
import { motifOf, type PhotoMotif } from '../../drawings/photo-motif.ts'
import type { Scenery } from '../../world/city.ts'
import { findMark, findScene, type MarkRow } from './property-sql.ts'

export interface DrawnPhoto {
  readonly motif: PhotoMotif
  readonly scenery: Scenery
}

/** Null when the photo does not exist. */
export async function findPhoto(db: Database, photoId: PhotoId): Promise<DrawnPhoto | null> {
  const { propertyId, index } = readPhotoId(photoId)
  const [row] = await db.query(findScene(idToUuid(propertyId)))
  if (row === undefined) return null
  const house = { photoCount: row.photo_count, roomTypeCount: row.room_types }
  const motif = motifOf(index, house)
  return motif === undefined ? null : { motif, scenery: row.scenery }
}

/** Colour and letter of a tenant's logo; null for an unknown tenant. */
export async function findLogo(db: Database, tenantId: TenantId): Promise<MarkRow | null> {
  const [row] = await db.query(findMark(idToUuid(tenantId)))
  return row ?? null
}
