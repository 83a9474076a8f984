import type { PropertyId } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { photoIdOf, photoPath } from '../../drawings/photo-id.ts'
import {
  motifOf,
  type PhotoMotif,
  ROOM_TYPES_PHOTOGRAPHED_MAX,
} from '../../drawings/photo-motif.ts'
import type { HouseRow } from './house.ts'

type Photo = PropertyDetail['photos'][number]

/** `*` stands for the name of the house: English, Pashto, Dari. */
const ALTS: Readonly<Record<PhotoMotif, readonly [string, string, string]>> = {
  facade: ['*, seen from the street', '*، له کوڅې نه', 'نمای * از کوچه'],
  courtyard: ['The courtyard of *', 'د * انګړ', 'حویلی *'],
  room: ['A room at *', 'په * کې یوه خونه', 'اتاقی در *'],
  breakfast: ['Breakfast at *', 'په * کې سهارنی', 'صبحانه در *'],
  view: ['The view from *', 'د * منظره', 'چشم‌انداز از *'],
}

export interface PhotoRequest {
  readonly propertyId: PropertyId
  readonly index: number
  readonly row: HouseRow
  readonly publicUrl: string
}

export function describePhoto({ propertyId, index, row, publicUrl }: PhotoRequest): Photo {
  const photoId = photoIdOf(propertyId, index)
  const { photo_count: photoCount, name } = row
  const motif = motifOf(index, { photoCount, roomTypeCount: ROOM_TYPES_PHOTOGRAPHED_MAX })
  const [en, ps, fa] = ALTS[motif ?? 'facade']
  return {
    photoId,
    url: new URL(photoPath(photoId), publicUrl).href,
    alt: {
      default: filled(en, name.default),
      localized: {
        'ps-AF': filled(ps, name.localized?.['ps-AF'] ?? name.default),
        'fa-AF': filled(fa, name.localized?.['fa-AF'] ?? name.default),
      },
    },
    isHero: index === 0,
  }
}

function filled(template: string, name: string): string {
  return template.replace('*', () => name)
}
