import { newId } from '@melmastoon/domain'
import type { Hotel } from './types.ts'

/** Twelve hotels in Kabul and two in Herat, each with its own tenant. */
export function sampleHotels(): Hotel[] {
  return Array.from({ length: 14 }, (_, at) => ({
    propertyId: newId('ppt'),
    tenantId: newId('tnt'),
    city: at < 12 ? 'kabul' : 'herat',
    name: `Hotel ${at}`,
    nightlyMicro: String(2_500_000_000 + at * 10_000),
    deliveryRegion: at === 1 ? 'europe-west4' : 'asia-south1',
    openedOn: at === 2 ? new Date().toISOString().slice(0, 10) : '2019-05-01',
  }))
}
