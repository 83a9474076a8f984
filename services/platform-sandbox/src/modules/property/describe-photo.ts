import type { PropertyId } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { photoIdOf, photoPath } from '../../drawings/photo-id.ts'
import {
  motifOf,
  type PhotoMotif,
  ROOM_TYPES_PHOTOGRAPHED_MAX,
} from '../../drawings/photo-motif.ts'
import { photoSizes } from '../../drawings/photo-sources.ts'
import { fromPashto, inPashto, ofPashto } from '../../world/words/pashto.ts'
import type { HouseRow } from './house.ts'

type Photo = PropertyDetail['photos'][number]

const CATEGORIES: Readonly<Record<PhotoMotif, NonNullable<Photo['category']>>> = {
  facade: 'exterior',
  courtyard: 'courtyard',
  room: 'room',
  breakfast: 'dining',
  view: 'view',
}

type Alt = (name: string) => string

/** The name of the house in English, Pashto and Dari. */
const ALTS: Readonly<Record<PhotoMotif, readonly [Alt, Alt, Alt]>> = {
  facade: [
    (n) => `${n}, seen from the street`,
    (n) => `${n}، له کوڅې څخه`,
    (n) => `نمای ${n} از کوچه`,
  ],
  courtyard: [(n) => `The courtyard of ${n}`, (n) => `${ofPashto(n)} انګړ`, (n) => `حویلی ${n}`],
  room: [(n) => `A room at ${n}`, (n) => `${inPashto(n)} یوه خونه`, (n) => `اتاقی در ${n}`],
  breakfast: [(n) => `Breakfast at ${n}`, (n) => `${inPashto(n)} سهارنی`, (n) => `صبحانه در ${n}`],
  view: [(n) => `The view from ${n}`, (n) => `${fromPashto(n)} منظره`, (n) => `چشم‌انداز از ${n}`],
}

export interface PhotoRequest {
  readonly propertyId: PropertyId
  readonly index: number
  readonly row: HouseRow
  readonly publicUrl: string
}

export function describePhoto({ propertyId, index, row, publicUrl }: PhotoRequest): Photo {
  const photoId = photoIdOf(propertyId, index)
  const url = new URL(photoPath(photoId), publicUrl).href
  const { photo_count: photoCount, name } = row
  const motif = motifOf(index, { photoCount, roomTypeCount: ROOM_TYPES_PHOTOGRAPHED_MAX })
  const [en, ps, fa] = ALTS[motif ?? 'facade']
  return {
    photoId,
    url,
    alt: {
      default: en(name.default),
      localized: {
        'ps-AF': ps(name.localized?.['ps-AF'] ?? name.default),
        'fa-AF': fa(name.localized?.['fa-AF'] ?? name.default),
      },
    },
    isHero: index === 0,
    ...photoSizes(url),
    category: CATEGORIES[motif ?? 'facade'],
  }
}
