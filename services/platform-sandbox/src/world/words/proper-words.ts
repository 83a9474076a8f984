import type { Scenery } from '../city.ts'
import { readNames } from '../names.ts'
import type { Names } from '../world.ts'

const EVERYWHERE = `
Sun / لمر / آفتاب
Moonlight / سپوږمۍ / مهتاب
Star / ستوری / ستاره
Dawn / سباوون / سپیده
Spring / پسرلی / بهار
Peace / سوله / صلح
Friendship / ملګرتیا / دوستی
Hope / هیله / امید
River / سیند / دریا
Green Valley / شنه دره / دره سبز
Golden Gate / زرینه دروازه / دروازه طلایی
Rose / ګلاب / گلاب
Tulip / غاټول / لاله
Pearl / ملغلره / مروارید
Diamond / الماس / الماس
Crown / تاج / تاج
Park / پارک / پارک
Garden / بڼ / باغ
Castle / کلا / قلعه
Fountain / فواره / فواره
Olive / زیتون / زیتون
Pine / نښتر / کاج
Swallow / توتکۍ / پرستو
Dove / کوتره / کبوتر
Horizon / افق / افق
Old Bridge / زوړ پل / پل کهنه
Lantern / څراغ / فانوس
Traveller / مسافر / مسافر
Two Doors / دوه دروازې / دو دروازه
`

const AFGHAN = `
Noor / نور / نور
Gulistan / ګلستان / گلستان
Lajward / لاجورد / لاجورد
Arman / ارمان / آرمان
Zarnigar / زرنګار / زرنگار
Baharistan / بهارستان / بهارستان
Firdaws / فردوس / فردوس
Ariana / اریانا / آریانا
Pamir / پامیر / پامیر
Hindukush / هندوکش / هندوکش
Silk Road / د ورېښمو لاره / راه ابریشم
Caravan / کاروان / کاروان
Pomegranate / انار / انار
Saffron / زعفران / زعفران
Mulberry / توت / توت
Almond / بادام / بادام
Walnut / غوز / چهارمغز
White Mountain / سپین غر / کوه سفید
Old Bazaar / زوړ بازار / بازار کهنه
Royal Garden / شاهي بڼ / باغ شاهی
Turquoise / فېروزه / فیروزه
Ruby / یاقوت / یاقوت
Falcon / باز / شاهین
Gazelle / هوسۍ / آهو
Lion / زمری / شیر
Guest / مېلمه / مهمان
Hospitality / مېلمه‌پالنه / مهمان‌نوازی
`

const SEA = `
Harbour / بندر / بندر
Ocean / سمندر / اقیانوس
Coral / مرجان / مرجان
Date Palm / خجوره / نخل
Beach / ساحل / ساحل
Lighthouse / سمندري څراغ / فانوس دریایی
Wave / څپه / موج
Island / ټاپو / جزیره
Sail / بادبان / بادبان
`

const NORTH = `
Northern Light / شمالي رڼا / نور شمال
Snow / واوره / برف
Polar Star / قطبي ستوری / ستاره قطبی
Winter / ژمی / زمستان
White Bear / سپین یږ / خرس سفید
Ice Bay / یخ خلیج / خلیج یخ
`

const MOUNTAIN = `
Summit / څوکه / قله
Eagle / عقاب / عقاب
Waterfall / ځړوبی / آبشار
Meadow / ورشو / چمن
Clear Spring / رڼه چینه / چشمه زلال
Apricot / زردالو / زردآلو
Cloud / وریځ / ابر
`

const DESERT = `
Oasis / شنه واحه / واحه سبز
Fort / زړه کلا / قلعه کهنه
Sand Star / د شګو ستوری / ستاره ریگستان
Shade / سیوری / سایه
Wind Tower / د باد برج / بادگیر
`

function readWords(text: string): Names[] {
  return text.trim().split('\n').map(readNames)
}

const everywhere = readWords(EVERYWHERE)
const afghan = readWords(AFGHAN)
const bySight: Readonly<Record<Scenery, readonly Names[]>> = {
  sea: readWords(SEA),
  north: readWords(NORTH),
  mountain: readWords(MOUNTAIN),
  desert: readWords(DESERT),
  town: [],
}

/** Countries where Persian and Pashto words are common in hotel names. */
const PERSIANATE: ReadonlySet<string> = new Set(['AF', 'IR', 'PK', 'TJ', 'UZ'])

/** The proper nouns for names of houses in such a place. */
export function properWords(country: string, scenery: Scenery): readonly Names[] {
  const own = bySight[scenery]
  return PERSIANATE.has(country) ? [...afghan, ...own, ...everywhere] : [...own, ...everywhere]
}
