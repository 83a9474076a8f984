export const PHOTO_MOTIFS = ['facade', 'courtyard', 'room', 'breakfast', 'view'] as const
export type PhotoMotif = (typeof PHOTO_MOTIFS)[number]

/** The exterior first, then the surroundings and the interior. */
const HOUSE_MOTIFS: readonly PhotoMotif[] = [
  'facade',
  'courtyard',
  'view',
  'breakfast',
  'room',
  'view',
  'courtyard',
  'facade',
]

/** From this number on the photos show rooms, two per room type, in their order. */
const FIRST_ROOM_PHOTO = 12
const PER_ROOM_TYPE = 2
export const ROOM_TYPES_PHOTOGRAPHED_MAX = 10

export function roomPhotoIndexes(position: number): number[] {
  if (position >= ROOM_TYPES_PHOTOGRAPHED_MAX) return []
  const first = FIRST_ROOM_PHOTO + position * PER_ROOM_TYPE
  return [first, first + 1]
}

/** The motif of a photo; undefined if the house has no such photo. */
export function motifOf(
  index: number,
  house: { photoCount: number; roomTypeCount: number },
): PhotoMotif | undefined {
  if (index < FIRST_ROOM_PHOTO) return index < house.photoCount ? HOUSE_MOTIFS[index] : undefined
  const position = Math.floor((index - FIRST_ROOM_PHOTO) / PER_ROOM_TYPE)
  return position < house.roomTypeCount ? 'room' : undefined
}
