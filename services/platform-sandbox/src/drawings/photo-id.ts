import { type Id, type PropertyId, parseId } from '@melmastoon/domain'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ULID_LENGTH = 26

export type PhotoId = Id<'pht'>

/** Ids of properties end in five zero bits, which contain the number of a photo. */
export const PHOTOS_MAX = 32

export function photoIdOf(propertyId: PropertyId, index: number): PhotoId {
  const ulid = propertyId.slice(-ULID_LENGTH)
  const digit = CROCKFORD[index]
  if (digit === undefined) throw new TypeError(`a property has no photo ${index}`)
  if (!ulid.endsWith('0'))
    throw new TypeError('the id of this property cannot be numbered for photos')
  return parseId('pht', `pht_${ulid.slice(0, -1)}${digit}`)
}

export function readPhotoId(photoId: PhotoId): { propertyId: PropertyId; index: number } {
  const ulid = photoId.slice(-ULID_LENGTH)
  return {
    propertyId: parseId('ppt', `ppt_${ulid.slice(0, -1)}0`),
    index: CROCKFORD.indexOf(ulid.slice(-1)),
  }
}

/** Below the address at which browsers reach the sandbox. */
export function photoPath(photoId: PhotoId): string {
  return `/photos/${photoId}.svg`
}
