import type { AMENITY_CODES } from '@melmastoon/upstream-contracts/search'
import { readNames } from './names.ts'
import type { Names, WorldProperty } from './world.ts'

const NAMES = {
  wifi: 'Free Wi-Fi / وړیا وای‌فای / وای‌فای رایگان',
  breakfast: 'Breakfast / سهارنی / صبحانه',
  'halal-kitchen': 'Halal kitchen / حلال پخلنځی / آشپزخانه حلال',
  'prayer-room': 'Prayer room / د لمانځه خونه / نمازخانه',
  generator: 'Own generator / خپل جنراتور / جنراتور شخصی',
  'women-only-floor': 'Floor for women only / یوازې د ښځو پوړ / منزل ویژه خانم‌ها',
  'airport-pickup': 'Airport pick-up / له هوایي ډګره راوړل / ترانسفر میدان هوایی',
  parking: 'Parking / د موټرو تم‌ځای / پارکینگ',
  restaurant: 'Restaurant / رستورانت / رستوران',
  'room-service': 'Room service / د خونې خدمتونه / خدمات اتاق',
  laundry: 'Laundry / د جامو مینځل / خشک‌شویی',
  'air-conditioning': 'Air conditioning / هوا یخوونکی / ایرکندیشن',
  heating: 'Heating / تودوخه / گرمایش',
  elevator: 'Lift / لفټ / لفت',
  garden: 'Garden / بڼ / باغ',
  courtyard: 'Courtyard / انګړ / حویلی',
  'rooftop-terrace': 'Roof terrace / د بام چوتره / تراس بام',
  'tea-house': 'Tea house / چایخونه / چایخانه',
  'family-rooms': 'Family rooms / کورنۍ خونې / اتاق‌های خانوادگی',
  'meeting-room': 'Meeting room / د غونډو خونه / اتاق جلسه',
  'security-guard': 'Guard day and night / د شپې او ورځې ساتونکی / نگهبان شبانه‌روزی',
  kitchenette: 'Kitchenette / کوچنی پخلنځی / آشپزخانه کوچک',
  gym: 'Gym / د ورزش خونه / باشگاه ورزشی',
  pool: 'Swimming pool / د لامبو حوض / حوض شنا',
  hammam: 'Hammam / حمام / حمام سنتی',
  'step-free': 'Step-free access / بې زینو لار / دسترسی بدون پله',
} as const satisfies Record<(typeof AMENITY_CODES)[number], string>

export type AmenityCode = keyof typeof NAMES

export interface Amenity {
  readonly code: AmenityCode
  readonly name: Names
}

export const AMENITIES: readonly Amenity[] = Object.entries(NAMES).map(([code, name]) => ({
  code: code as AmenityCode,
  name: readNames(name),
}))

/** The display names of property types. */
export const PROPERTY_TYPE_NAMES: Readonly<Record<WorldProperty['propertyType'], Names>> = {
  hotel: readNames('Hotel / هوټل / هوتل'),
  guesthouse: readNames('Guest house / مېلمستون / مهمان‌خانه'),
  hostel: readNames('Hostel / هاسټل / هاستل'),
  apartment: readNames('Apartment / اپارتمان / آپارتمان'),
}
