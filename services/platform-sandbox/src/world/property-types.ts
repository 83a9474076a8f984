import { readNames } from './names.ts'
import type { Names, WorldProperty } from './world.ts'

/** What kinds of houses are called. */
export const PROPERTY_TYPE_NAMES: Readonly<Record<WorldProperty['propertyType'], Names>> = {
  hotel: readNames('Hotel / هوټل / هوتل'),
  guesthouse: readNames('Guest house / مېلمستون / مهمان‌خانه'),
  hostel: readNames('Hostel / هاسټل / هاستل'),
  apartment: readNames('Apartment / اپارتمان / آپارتمان'),
}
