import { newId } from '@melmastoon/domain'
import type { UpstreamState } from './types.ts'

const PHOTO_ID = newId('pht')
export const ROOM_TYPE_ID = newId('rmt')

export const LOCALIZED = (text: string) => ({ default: text, localized: { 'fa-AF': `${text} فا` } })

export function propertyDetail({ hotels, propertyExtra }: UpstreamState, id: string) {
  const hotel = hotels.find(({ propertyId }) => propertyId === id)
  if (hotel === undefined) return {}
  const { propertyId, tenantId, city, name, openedOn } = hotel
  const place = { key: city, name: LOCALIZED(city) }
  const photo = (isHero: boolean) => ({
    photoId: PHOTO_ID,
    url: `https://photos.example/${isHero ? 'hero' : 'room'}.jpg`,
    alt: LOCALIZED('The house'),
    isHero,
    width: 800,
    height: 500,
    category: isHero ? 'exterior' : 'room',
    sources: [
      {
        url: 'https://photos.example/320.webp',
        width: 320,
        format: 'webp',
        camera: 'must not get through',
      },
    ],
  })
  return {
    propertyId,
    tenantId,
    slug: name.toLowerCase().replaceAll(' ', '-'),
    version: 4,
    name: LOCALIZED(name),
    geo: { lat: 34.5, lng: 69.2 },
    timeZone: 'Asia/Kabul',
    propertyType: 'hotel',
    starRating: 3,
    guestRating: { value: 8.4, count: 120 },
    shariaCompliant: true,
    openedOn,
    description: LOCALIZED('A house by the river.'),
    address: {
      line: '5 Flower Street',
      nativeLine: 'کوچه گل فروشی ۵',
      localizedLine: LOCALIZED('5 Flower Street'),
      neighbourhood: 'Shahr-e Naw',
      neighbourhoodName: LOCALIZED('Shahr-e Naw'),
      city: place,
      region: place,
      country: 'AF',
    },
    amenities: [{ code: 'wifi', name: LOCALIZED('Wi-Fi') }],
    photos: [photo(true), photo(false)],
    policies: {
      cancellation: {
        kind: 'free',
        freeUntilHours: 48,
        penaltyBasisPoints: 0,
        text: LOCALIZED('Free until two days before.'),
      },
      checkInTime: '14:00',
      checkOutTime: '11:00',
      houseRules: [{ code: 'quiet-hours', text: LOCALIZED('Quiet from ten.') }],
      details: {
        children: { text: LOCALIZED('Children are welcome.'), allowed: true, freeUntilAge: 5 },
        extraBeds: { text: LOCALIZED('One extra bed.'), maxPerRoom: 1, cribs: true },
        pets: { text: LOCALIZED('No pets.'), allowed: false },
        lateArrival: {
          text: LOCALIZED('Call if you arrive late.'),
          latestCheckIn: '22:00',
          noticeRequired: true,
        },
        identityDocuments: {
          text: LOCALIZED('Bring a passport or tazkira.'),
          accepted: ['passport', 'national_id'],
        },
        notes: 'must not get through',
      },
    },
    roomTypes: [
      {
        roomTypeId: ROOM_TYPE_ID,
        kind: 'twin',
        name: LOCALIZED('Twin room'),
        adultsMax: 2,
        childrenMax: 1,
        occupancyMax: 3,
        sizeSqm: 20,
        beds: [{ kind: 'single', count: 2 }],
        roomCount: 8,
        photos: [photo(false)],
      },
    ],
    reviews: {
      count: 120,
      scores: [{ aspect: 'staff', value: 9.1 }],
      items: [
        {
          author: 'Ahmad R.',
          rating: 9,
          stayedIn: '2026-05',
          travellers: 'family',
          language: 'fa-AF',
          text: LOCALIZED('The staff helps with everything.'),
          email: 'must not get through',
        },
      ],
    },
    updatedAt: '2026-01-01T00:00:00.000Z',
    ownerPhone: '+93700000000',
    ...propertyExtra,
  }
}
