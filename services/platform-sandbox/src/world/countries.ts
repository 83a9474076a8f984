import type { CurrencyCode, Locale } from '@melmastoon/domain'

export interface Country {
  readonly currency: CurrencyCode
  /** The price of a standard room per night. */
  readonly nightlyUsd: number
  readonly cloudRegion: 'asia-south1' | 'europe-west4'
  readonly locale: Locale
  readonly isMostlyMuslim: boolean
  /** Weekdays (Sunday is 0) whose nights are the busiest. */
  readonly busyNights: readonly [number, number]
  /** The size of rooms relative to the same class elsewhere; default 1. */
  readonly roomSize?: number
}

const east = {
  cloudRegion: 'asia-south1',
  locale: 'en',
  isMostlyMuslim: true,
  busyNights: [5, 6],
} as const
const west = { ...east, cloudRegion: 'europe-west4', isMostlyMuslim: false } as const
/** The weekend is Friday, so the nights of Thursday and Friday are the busiest. */
const friday = { ...east, busyNights: [4, 5] } as const

/** Hotels in countries whose currency is not supported have prices in dollars or euros. */
const COUNTRIES: Readonly<Record<string, Country>> = {
  AF: { ...friday, currency: 'AFN', nightlyUsd: 34, locale: 'fa-AF' },
  IR: { ...friday, currency: 'IRR', nightlyUsd: 36, locale: 'fa-AF' },
  PK: { ...east, currency: 'PKR', nightlyUsd: 42 },
  TJ: { ...east, currency: 'USD', nightlyUsd: 44, locale: 'fa-AF' },
  UZ: { ...east, currency: 'USD', nightlyUsd: 48 },
  TM: { ...east, currency: 'USD', nightlyUsd: 55 },
  KG: { ...east, currency: 'USD', nightlyUsd: 40 },
  KZ: { ...east, currency: 'USD', nightlyUsd: 58 },
  CN: { ...east, currency: 'USD', nightlyUsd: 46, isMostlyMuslim: false },
  AE: { ...east, currency: 'AED', nightlyUsd: 105, roomSize: 1.25 },
  QA: { ...friday, currency: 'USD', nightlyUsd: 110, roomSize: 1.25 },
  OM: { ...friday, currency: 'USD', nightlyUsd: 90, roomSize: 1.15 },
  SA: { ...friday, currency: 'USD', nightlyUsd: 98, roomSize: 1.2 },
  IQ: { ...friday, currency: 'USD', nightlyUsd: 60 },
  JO: { ...friday, currency: 'USD', nightlyUsd: 70 },
  EG: { ...friday, currency: 'USD', nightlyUsd: 48, cloudRegion: 'europe-west4' },
  MA: { ...east, currency: 'EUR', nightlyUsd: 58, cloudRegion: 'europe-west4' },
  TR: { ...east, currency: 'EUR', nightlyUsd: 72, cloudRegion: 'europe-west4', roomSize: 0.92 },
  AZ: { ...east, currency: 'USD', nightlyUsd: 62, cloudRegion: 'europe-west4' },
  GE: { ...west, currency: 'USD', nightlyUsd: 52 },
  AM: { ...west, currency: 'USD', nightlyUsd: 52 },
  IN: { ...east, currency: 'USD', nightlyUsd: 46, isMostlyMuslim: false, roomSize: 0.95 },
  NP: { ...east, currency: 'USD', nightlyUsd: 32, isMostlyMuslim: false },
  BD: { ...friday, currency: 'USD', nightlyUsd: 40 },
  LK: { ...east, currency: 'USD', nightlyUsd: 48, isMostlyMuslim: false },
  TH: { ...east, currency: 'USD', nightlyUsd: 55, isMostlyMuslim: false, roomSize: 1.1 },
  MY: { ...east, currency: 'USD', nightlyUsd: 56, roomSize: 1.05 },
  ID: { ...east, currency: 'USD', nightlyUsd: 48, roomSize: 1.05 },
  JP: { ...east, currency: 'USD', nightlyUsd: 112, isMostlyMuslim: false, roomSize: 0.65 },
  KR: { ...east, currency: 'USD', nightlyUsd: 96, isMostlyMuslim: false, roomSize: 0.85 },
  BA: { ...west, currency: 'EUR', nightlyUsd: 58 },
  GB: { ...west, currency: 'GBP', nightlyUsd: 132, roomSize: 0.82 },
  DE: { ...west, currency: 'EUR', nightlyUsd: 112, roomSize: 0.92 },
  FR: { ...west, currency: 'EUR', nightlyUsd: 138, roomSize: 0.8 },
  AT: { ...west, currency: 'EUR', nightlyUsd: 116 },
  IT: { ...west, currency: 'EUR', nightlyUsd: 122, roomSize: 0.88 },
  ES: { ...west, currency: 'EUR', nightlyUsd: 92 },
  NL: { ...west, currency: 'EUR', nightlyUsd: 140, roomSize: 0.82 },
  SE: { ...west, currency: 'EUR', nightlyUsd: 128, roomSize: 0.85 },
  NO: { ...west, currency: 'EUR', nightlyUsd: 148, roomSize: 0.88 },
  SJ: { ...west, currency: 'EUR', nightlyUsd: 186 },
  IS: { ...west, currency: 'EUR', nightlyUsd: 168 },
  RU: { ...west, currency: 'EUR', nightlyUsd: 78 },
  US: { ...west, currency: 'USD', nightlyUsd: 158, roomSize: 1.3 },
  CA: { ...west, currency: 'USD', nightlyUsd: 128, roomSize: 1.2 },
  BR: { ...west, currency: 'USD', nightlyUsd: 62 },
  AR: { ...west, currency: 'USD', nightlyUsd: 84 },
  KE: { ...west, currency: 'USD', nightlyUsd: 66, roomSize: 1.1 },
  ZA: { ...west, currency: 'USD', nightlyUsd: 74, roomSize: 1.1 },
  AU: { ...east, currency: 'USD', nightlyUsd: 134, isMostlyMuslim: false, roomSize: 1.1 },
  NZ: { ...east, currency: 'USD', nightlyUsd: 118, isMostlyMuslim: false },
  FJ: { ...east, currency: 'USD', nightlyUsd: 92, isMostlyMuslim: false },
  WS: { ...east, currency: 'USD', nightlyUsd: 86, isMostlyMuslim: false },
  TO: { ...east, currency: 'USD', nightlyUsd: 80, isMostlyMuslim: false },
}

export function findCountry(code: string): Country {
  const country = COUNTRIES[code]
  if (country === undefined) throw new TypeError(`no country has the code ${code}`)
  return country
}
