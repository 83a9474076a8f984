import { readNames } from '../names.ts'
import type { Names, WorldProperty } from '../world.ts'

type PropertyType = WorldProperty['propertyType']

/** `*` is replaced by the proper noun: in Pashto by its genitive, in Dari after the house. */
const TABLES: Readonly<Record<PropertyType, readonly string[]>> = {
  hotel: [
    '* Hotel / * هوټل / هوتل *',
    '* Palace Hotel / * د ماڼۍ هوټل / هوتل قصر *',
    '* Grand Hotel / * لوی هوټل / هوتل بزرگ *',
    '* Plaza / * پلازا / پلازای *',
    '* Suites / * سویټونه / سویت‌های *',
    '* Garden Hotel / * د بڼ هوټل / باغ هوتل *',
  ],
  guesthouse: [
    '* Guest House / * مېلمستون / مهمان‌خانه *',
    '* Serai / * سرای / سرای *',
    '* House / * کور / خانه *',
    '* Lodge / * استوګنځی / اقامتگاه *',
  ],
  hostel: [
    '* Hostel / * هاسټل / هاستل *',
    '* Travellers Hostel / * د مسافرو هاسټل / هاستل مسافران *',
  ],
  apartment: [
    '* Apartments / * اپارتمانونه / آپارتمان‌های *',
    '* Homes / * کورونه / خانه‌های *',
    '* Residence / * رېزیډنس / رزیدنس *',
  ],
}

export const HOUSE_WORDS: Readonly<Record<PropertyType, readonly Names[]>> = {
  hotel: TABLES.hotel.map(readNames),
  guesthouse: TABLES.guesthouse.map(readNames),
  hostel: TABLES.hostel.map(readNames),
  apartment: TABLES.apartment.map(readNames),
}
