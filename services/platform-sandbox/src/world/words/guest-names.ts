import type { Locale } from '@melmastoon/domain'
import { readNames } from '../names.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { Names } from '../world.ts'

const AFGHAN_FIRST = `
Ahmad / احمد / احمد
Farid / فرید / فرید
Hamid / حمید / حمید
Khalid / خالد / خالد
Najib / نجیب / نجیب
Rahim / رحیم / رحیم
Zalmay / زلمی / زلمی
Gul Agha / ګل اغا / گل‌آغا
Torpekai / تورپېکۍ / تورپیکی
Zarghona / زرغونه / زرغونه
Fatima / فاطمه / فاطمه
Latifa / لطیفه / لطیفه
Maryam / مریم / مریم
Parwana / پروانه / پروانه
Shukria / شکریه / شکریه
Sohaila / سهیلا / سهیلا
Wahida / وحیده / وحیده
Yusuf / یوسف / یوسف
`

const AFGHAN_LAST = `
Ahmadi / احمدي / احمدی
Amiri / امیري / امیری
Azizi / عزیزي / عزیزی
Barakzai / بارکزی / بارکزی
Haidari / حیدري / حیدری
Karimi / کریمي / کریمی
Mohmand / مومند / مهمند
Nazari / نظري / نظری
Nurzai / نورزی / نورزی
Popal / پوپل / پوپل
Qaderi / قادري / قادری
Rahimi / رحیمي / رحیمی
Safi / صافي / صافی
Stanekzai / ستانکزی / ستانکزی
Wardak / وردګ / وردک
Yusufzai / یوسفزی / یوسفزی
`

const FOREIGN_FIRST = [
  'Alice',
  'Carlos',
  'Elena',
  'Emma',
  'Hassan',
  'Ingrid',
  'James',
  'Kenji',
  'Leila',
  'Marta',
  'Mehmet',
  'Omar',
  'Priya',
  'Samuel',
  'Sara',
  'Tomas',
]
const FOREIGN_LAST = [
  'Andersen',
  'Brown',
  'Costa',
  'Demir',
  'Fischer',
  'Garcia',
  'Hughes',
  'Ito',
  'Khan',
  'Malik',
  'Moreau',
  'Novak',
  'Patel',
  'Rossi',
  'Silva',
  'Walker',
]

const afghanFirst = AFGHAN_FIRST.trim().split('\n').map(readNames)
const afghanLast = AFGHAN_LAST.trim().split('\n').map(readNames)

/** A fictitious name in the script of the guest, combined from first and last names. */
export function guestName(random: SeededRandom, locale: Locale): string {
  if (locale === 'en' && random.chance(0.7)) {
    return `${random.pick(FOREIGN_FIRST)} ${random.pick(FOREIGN_LAST)}`
  }
  return `${inLocale(random.pick(afghanFirst), locale)} ${inLocale(random.pick(afghanLast), locale)}`
}

function inLocale(name: Names, locale: Locale): string {
  return locale === 'en' ? name.default : name.localized[locale]
}
