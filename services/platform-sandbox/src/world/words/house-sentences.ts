import type { Scenery } from '../city.ts'
import { names, readNames } from '../names.ts'
import type { Names, WorldProperty } from '../world.ts'
import { easternDigits } from './eastern-digits.ts'

type PropertyType = WorldProperty['propertyType']

const HOTEL_CLASSES: readonly string[] = [
  'This hotel is small and personal. / دا هوټل کوچنی دی او هر مېلمه پېژني. / این هوتل کوچک است و هر مهمان را می‌شناسد.',
  'This one-star hotel has beds and hot water. / دا یو‌ستوریز هوټل بسترې او ګرمې اوبه لري. / این هوتل یک‌ستاره بستر و آب گرم دارد.',
  'This two-star hotel is simple and cheap. / دا دوه‌ستوریز هوټل ساده او ارزان دی. / این هوتل دوستاره ساده و ارزان است.',
  'This three-star hotel has clean rooms and fair prices. / دا درې‌ستوریز هوټل پاکې خونې او مناسبې بیې لري. / این هوتل سه‌ستاره اتاق‌های پاک و قیمت‌های مناسب دارد.',
  'This four-star hotel has a quiet lobby and rooms with a desk. / دا څلور‌ستوریز هوټل ارام دهلېز او د کار له مېز سره خونې لري. / این هوتل چهارستاره دهلیز آرام و اتاق‌هایی با میز کار دارد.',
  'This five-star hotel has large rooms and serves day and night. / دا پنځه‌ستوریز هوټل لویې خونې لري او شپه او ورځ خدمت کوي. / این هوتل پنج‌ستاره اتاق‌های بزرگ دارد و شب و روز خدمت می‌کند.',
]

const OTHER_CLASSES: Readonly<Record<Exclude<PropertyType, 'hotel'>, readonly string[]>> = {
  guesthouse: [
    'The owners cook for their guests themselves. / خاوندان پخپله د مېلمنو لپاره پخلی کوي. / صاحبان خانه خود برای مهمانان غذا می‌پزند.',
    'Guests drink tea with the family of the house. / مېلمانه د کور له کورنۍ سره چای څښي. / مهمانان با خانواده صاحب خانه چای می‌نوشند.',
  ],
  hostel: [
    'Travellers share rooms, a kitchen and their stories. / مسافران خونې، پخلنځی او خپلې کیسې سره شریکوي. / مسافران اتاق، آشپزخانه و قصه‌های خود را شریک می‌سازند.',
    'Beds are simple, and the door is open all night. / بسترې ساده دي او دروازه ټوله شپه خلاصه وي. / بسترها ساده است و دروازه تمام شب باز می‌باشد.',
  ],
  apartment: [
    'Every apartment has a kitchen of its own and suits longer stays. / هر اپارتمان خپل پخلنځی لري او د اوږدې استوګنې لپاره مناسب دی. / هر آپارتمان آشپزخانه جدا دارد و برای اقامت طولانی مناسب است.',
    'Families have a living room and space to cook. / کورنۍ د ناستې خونه او د پخلي ځای لري. / خانواده‌ها اتاق نشیمن و جای پخت‌وپز دارند.',
  ],
}

const SCENES: Readonly<Record<Scenery, string>> = {
  mountain:
    'Mornings are clear, and the mountains begin behind the house. / سهارونه روښانه وي او غرونه د کور شاته پیلېږي. / صبح‌ها روشن است و کوه‌ها از پشت خانه آغاز می‌شود.',
  desert:
    'Thick walls keep the rooms cool in summer. / پنډ دېوالونه خونې په اوړي کې یخې ساتي. / دیوارهای ضخیم اتاق‌ها را در تابستان سرد نگه می‌دارد.',
  sea: 'The sea is a short walk away. / سمندر ته د پلي تګ لار لنډه ده. / تا دریا راه پیاده کوتاه است.',
  north:
    'In winter guests see the northern lights from the door. / په ژمي کې مېلمانه له دروازې شمالي رڼا ویني. / در زمستان مهمانان شفق شمالی را از دروازه می‌بینند.',
  town: 'Shops and buses are around the corner. / دوکانونه او بسونه نږدې دي. / دکان‌ها و بس‌ها نزدیک است.',
}

/** What the staff speaks besides English. */
const LANGUAGES: Readonly<Record<string, string>> = {
  AF: 'Dari, Pashto / دري، پښتو / دری، پشتو',
  IR: 'Persian / فارسي / فارسی',
  TJ: 'Tajik, Russian / تاجکي، روسي / تاجیکی، روسی',
  PK: 'Urdu, Pashto / اردو، پښتو / اردو، پشتو',
  UZ: 'Uzbek, Russian / ازبکي، روسي / ازبکی، روسی',
  TR: 'Turkish / ترکي / ترکی',
  IN: 'Hindi / هندي / هندی',
  DE: 'German / الماني / آلمانی',
  FR: 'French / فرانسوي / فرانسوی',
  RU: 'Russian / روسي / روسی',
}
const ARABIC = 'Arabic / عربي / عربی'
const ARABIC_COUNTRIES: ReadonlySet<string> = new Set([
  'AE',
  'QA',
  'OM',
  'SA',
  'IQ',
  'JO',
  'EG',
  'MA',
])

const hotelClasses = HOTEL_CLASSES.map(readNames)
const otherClasses = {
  guesthouse: OTHER_CLASSES.guesthouse.map(readNames),
  hostel: OTHER_CLASSES.hostel.map(readNames),
  apartment: OTHER_CLASSES.apartment.map(readNames),
}

/** The sentences among which one is drawn. */
export function classSentences(type: PropertyType, stars: number | null): readonly Names[] {
  if (type !== 'hotel') return otherClasses[type]
  return hotelClasses.slice(stars ?? 0, (stars ?? 0) + 1)
}

const scenes = new Map(Object.entries(SCENES).map(([key, row]) => [key, readNames(row)]))

export function sceneSentence(scenery: Scenery): Names | null {
  return scenes.get(scenery) ?? null
}

const languages = new Map(
  [
    ...Object.entries(LANGUAGES),
    ...[...ARABIC_COUNTRIES].map((country) => [country, ARABIC] as const),
  ].map(([country, row]) => [country, sentenceOn(readNames(row))]),
)

/** Null where English is the language of the country, or the only common one. */
export function languageSentence(country: string): Names | null {
  return languages.get(country) ?? null
}

function sentenceOn({ default: en, localized }: Names): Names {
  return names(
    `The staff speaks ${en} and English.`,
    `کارکوونکي په ${localized['ps-AF']} او انګلیسي خبرې کوي.`,
    `کارکنان به ${localized['fa-AF']} و انگلیسی سخن می‌گویند.`,
  )
}

export function roomsSentence(rooms: number, floors: number): Names {
  const [n, f] = [easternDigits(rooms), easternDigits(floors)]
  if (floors === 1) {
    return names(
      `It has ${rooms} rooms on one floor.`,
      `په یوه پوړ کې ${n} خونې لري.`,
      `در یک منزل ${n} اتاق دارد.`,
    )
  }
  return names(
    `It has ${rooms} rooms on ${floors} floors.`,
    `په ${f} پوړونو کې ${n} خونې لري.`,
    `در ${f} منزل ${n} اتاق دارد.`,
  )
}

export function yearSentence(year: number): Names {
  return names(
    `Guests have come here since ${year}.`,
    `له ${easternDigits(year)} کال راهیسې مېلمانه دلته راځي.`,
    `از سال ${easternDigits(year)} مهمانان به اینجا می‌آیند.`,
  )
}
