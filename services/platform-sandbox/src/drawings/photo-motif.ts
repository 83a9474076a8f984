export const PHOTO_MOTIFS = ['facade', 'courtyard', 'room', 'breakfast', 'view'] as const
export type PhotoMotif = (typeof PHOTO_MOTIFS)[number]

/** The house itself first, then what is around and in it. */
const OF_THE_HOUSE: readonly PhotoMotif[] = [
  'facade',
  'courtyard',
  'view',
  'breakfast',
  'room',
  'view',
  'courtyard',
  'facade',
]

/** From here on the photos show rooms: some for every room type, in their order. */
const FIRST_OF_ROOMS = 12
const PER_ROOM_TYPE = 2
export const ROOM_TYPES_PHOTOGRAPHED_MAX = 10

export function roomPhotoIndexes(position: number): number[] {
  if (position >= ROOM_TYPES_PHOTOGRAPHED_MAX) return []
  const first = FIRST_OF_ROOMS + position * PER_ROOM_TYPE
  return [first, first + 1]
}

/** What a photo shows; undefined when the house has no such photo. */
export function motifOf(
  index: number,
  house: { photoCount: number; roomTypeCount: number },
): PhotoMotif | undefined {
  if (index < FIRST_OF_ROOMS) return index < house.photoCount ? OF_THE_HOUSE[index] : undefined
  const position = Math.floor((index - FIRST_OF_ROOMS) / PER_ROOM_TYPE)
  return position < house.roomTypeCount ? 'room' : undefined
}
