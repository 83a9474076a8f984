import { readNames } from '../names.ts'
import type { Names } from '../world.ts'

/** The same streets in every language, in this order. */
const STREETS = [
  'Station Road / د سټېشن سړک / سرک استیشن',
  'Market Street / د بازار سړک / سرک بازار',
  'Park Avenue / د پارک واټ / سرک پارک',
  'Garden Lane / د بڼ کوڅه / کوچه باغ',
  'River Road / د سیند سړک / سرک دریا',
  'Main Street / لوی سړک / سرک عمومی',
  'School Street / د ښوونځي سړک / سرک مکتب',
  'Bridge Street / د پل سړک / سرک پل',
].map(readNames)

export const STREETS_COUNT = STREETS.length

interface LocalStreets {
  /** Separated by semicolons, in the order above. */
  readonly names: string
  /** `Gartenweg 12`, not `12 Garden Lane`. */
  readonly isNumberLast?: true
  /** In Latin letters, where the names are not. */
  readonly latin?: string
}

const german: LocalStreets = {
  names:
    'Bahnhofstraße; Marktstraße; Parkallee; Gartenweg; Uferstraße; Hauptstraße; Schulstraße; Brückenstraße',
  isNumberLast: true,
}
const norwegian: LocalStreets = {
  names: 'Jernbanegata; Torggata; Parkveien; Hagegata; Elvegata; Storgata; Skolegata; Brugata',
  isNumberLast: true,
}
const spanish: LocalStreets = {
  names:
    'Calle de la Estación; Calle del Mercado; Avenida del Parque; Calle del Jardín; Calle del Río; Calle Mayor; Calle de la Escuela; Calle del Puente',
  isNumberLast: true,
}
const russian: LocalStreets = {
  names:
    'Вокзальная улица; Рыночная улица; Парковая улица; Садовая улица; Речная улица; Главная улица; Школьная улица; Мостовая улица',
  latin:
    'Vokzalnaya Street; Rynochnaya Street; Parkovaya Street; Sadovaya Street; Rechnaya Street; Glavnaya Street; Shkolnaya Street; Mostovaya Street',
  isNumberLast: true,
}
const arabic: LocalStreets = {
  names:
    'شارع المحطة; شارع السوق; شارع الحديقة; شارع البستان; شارع النهر; الشارع الرئيسي; شارع المدرسة; شارع الجسر',
  latin:
    'Al Mahatta Street; Al Souq Street; Al Hadiqa Street; Al Bustan Street; Al Nahr Street; Main Street; Al Madrasa Street; Al Jisr Street',
}

const LOCAL: Readonly<Record<string, LocalStreets>> = {
  DE: german,
  AT: german,
  NO: norwegian,
  SJ: norwegian,
  ES: spanish,
  AR: spanish,
  RU: russian,
  KZ: russian,
  KG: russian,
  AE: arabic,
  QA: arabic,
  OM: arabic,
  SA: arabic,
  IQ: arabic,
  JO: arabic,
  EG: arabic,
  MA: arabic,
  FR: {
    names:
      'rue de la Gare; rue du Marché; avenue du Parc; rue des Jardins; quai de la Rivière; Grande Rue; rue de l’École; rue du Pont',
  },
  IT: {
    names:
      'Via della Stazione; Via del Mercato; Viale del Parco; Via dei Giardini; Via del Fiume; Via Maestra; Via della Scuola; Via del Ponte',
    isNumberLast: true,
  },
  NL: {
    names:
      'Stationsstraat; Marktstraat; Parklaan; Tuinstraat; Rivierstraat; Hoofdstraat; Schoolstraat; Brugstraat',
    isNumberLast: true,
  },
  BR: {
    names:
      'Rua da Estação; Rua do Mercado; Avenida do Parque; Rua do Jardim; Rua do Rio; Rua Direita; Rua da Escola; Rua da Ponte',
    isNumberLast: true,
  },
  SE: {
    names:
      'Stationsgatan; Torggatan; Parkvägen; Trädgårdsgatan; Ågatan; Storgatan; Skolgatan; Brogatan',
    isNumberLast: true,
  },
  TJ: {
    names:
      'кӯчаи Вокзал; кӯчаи Бозор; кӯчаи Парк; кӯчаи Боғ; кӯчаи Дарё; кӯчаи Марказӣ; кӯчаи Мактаб; кӯчаи Пул',
    latin:
      'Vokzal Street; Bozor Street; Park Street; Bogh Street; Daryo Street; Markazi Street; Maktab Street; Pul Street',
    isNumberLast: true,
  },
  UZ: {
    names:
      'Vokzal ko‘chasi; Bozor ko‘chasi; Park ko‘chasi; Bog‘ ko‘chasi; Daryo ko‘chasi; Markaziy ko‘cha; Maktab ko‘chasi; Ko‘prik ko‘chasi',
    isNumberLast: true,
  },
  TR: {
    names:
      'İstasyon Caddesi; Çarşı Caddesi; Park Sokak; Bahçe Sokak; Irmak Sokak; Ana Cadde; Okul Sokak; Köprü Sokak',
    isNumberLast: true,
  },
  IR: {
    names:
      'خیابان ایستگاه; خیابان بازار; خیابان پارک; کوچه باغ; خیابان رودخانه; خیابان اصلی; خیابان مدرسه; خیابان پل',
    latin:
      'Istgah Street; Bazar Street; Park Street; Bagh Alley; Rudkhaneh Street; Asli Street; Madreseh Street; Pol Street',
  },
}

export interface Street {
  /** In the languages of the platform; in English as written in Latin letters there. */
  readonly names: Names
  /** As written in the country. */
  readonly native: string
  readonly isNumberLast: boolean
}

export function streetIn(country: string, index: number): Street {
  const street = STREETS[index]
  if (street === undefined) throw new TypeError(`there is no street ${index}`)
  const local = LOCAL[country]
  if (local === undefined) return { names: street, native: street.default, isNumberLast: false }
  const native = nthOf(local.names, index)
  return {
    names: { ...street, default: local.latin === undefined ? native : nthOf(local.latin, index) },
    native,
    isNumberLast: local.isNumberLast ?? false,
  }
}

function nthOf(list: string, index: number): string {
  return list.split(';')[index]?.trim() ?? ''
}
