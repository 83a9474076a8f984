import type { CachedBytes } from '@melmastoon/chassis/cache'
import { isTimeZone, type PropertyId, type TenantId } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

export type HotelSignals = OutputOf<(typeof searchContract)['operations']['hotel']>

/** What is known of a property without opening it. */
const PropertyFacts = Type.Object({ tenantId: Type.String(), timeZone: Type.String() })
/** Each hotel with its tenant, `ppt_… tnt_…`, divided by commas. */
const SignalFacts = Type.Object({ similar: Type.String() })

const isPropertyFacts = Compile(PropertyFacts)
const isSignalFacts = Compile(SignalFacts)

export interface Similar {
  readonly propertyId: PropertyId
  readonly tenantId: TenantId
}

/** Days are counted in UTC where the hotel's zone is none. */
export function factsOfProperty({ tenantId, timeZone }: PropertyDetail) {
  return { tenantId, timeZone: isTimeZone(timeZone) ? timeZone : 'UTC' }
}

export function factsOfSignals({ similar }: HotelSignals): Static<typeof SignalFacts> {
  const pairs = similar.map(({ propertyId, tenantId }) => `${propertyId} ${tenantId}`)
  return { similar: pairs.join(',') }
}

/** Where they cannot be read, the body says the same. */
export function readPropertyFacts(entry: CachedBytes) {
  const { facts } = entry
  const { tenantId, timeZone } = isPropertyFacts.Check(facts)
    ? facts
    : factsOfProperty(propertyOf(entry))
  return { tenantId: tenantId as TenantId, timeZone }
}

export function readSimilar(entry: CachedBytes): Similar[] {
  const { facts } = entry
  const { similar } = isSignalFacts.Check(facts) ? facts : factsOfSignals(signalsOf(entry))
  if (similar === '') return []
  return similar.split(',').map((pair) => {
    const [propertyId, tenantId] = pair.split(' ')
    return { propertyId: propertyId as PropertyId, tenantId: tenantId as TenantId }
  })
}

/** Checked against the contract when it was fetched. */
export function propertyOf({ body }: CachedBytes): PropertyDetail {
  return JSON.parse(body.toString()) as PropertyDetail
}

export function signalsOf({ body }: CachedBytes): HotelSignals {
  return JSON.parse(body.toString()) as HotelSignals
}
