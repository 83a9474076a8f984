import { newId } from '@melmastoon/domain'
import { KeyRing, mintHandoff } from '@melmastoon/security'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { HANDOFF_KEYS } from './booking-environment.ts'
import { freshStay } from './booking-flow.ts'

/** A handoff as the consumer service mints it. */
export function mintToken(hotel: PropertyDetail): string {
  const fields = {
    id: newId('bhd'),
    guestSessionId: newId('gms'),
    tenantId: hotel.tenantId,
    propertyId: hotel.propertyId,
    ...freshStay(hotel),
    adults: 2,
    children: 0,
    rooms: 1,
    currency: 'USD',
    locale: 'en',
    childrenAges: [],
    campaign: { source: 'radio', medium: '', name: '' },
    offer: { roomTypeId: null, ratePlanId: null, digest: null, shownPrice: null },
  }
  return mintHandoff(fields, KeyRing.parse(HANDOFF_KEYS), new Date()).token
}
