import { idToUuid, newId, type PropertyId, type TenantId } from '@melmastoon/domain'
import { Client } from 'pg'

export interface ListedHotel {
  readonly propertyId: PropertyId
  readonly lat: number
  readonly lng: number
}

interface Row {
  document: { propertyId: string; geo: { lat: number; lng: number } }
}

/** Reads the tables of the search projection and adds hotels at positions missing from the seed. */
export async function openListings(url: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  return {
    /** The position of every published hotel. */
    async all(): Promise<ListedHotel[]> {
      const { rows } = await client.query<Row>(
        'select document from sandbox.search_listing where is_published',
      )
      return rows.map(({ document: { propertyId, geo } }) => ({
        propertyId: propertyId as PropertyId,
        ...geo,
      }))
    },
    /** Makes every room available, so that a map contains every hotel in its box. */
    async freeAll(): Promise<void> {
      await client.query(
        `update sandbox.search_availability set rooms_left = '{}', room_type_rooms_left = '{}'`,
      )
    },
    /** Sets the rooms left of one hotel from a night on; later nights are free. */
    async book(propertyId: PropertyId, firstNight: string, roomsLeft: number[]): Promise<void> {
      await client.query(
        `update sandbox.search_availability set first_night = $2, rooms_left = $3
         where property_id = $1`,
        [idToUuid(propertyId), firstNight, roomsLeft],
      )
    },
    /** From now on no rate of this hotel allows departures on these days. */
    async closeDepartures(days: readonly string[]): Promise<PropertyId> {
      const { rows } = await client.query<{ propertyId: PropertyId }>(
        `with closed as (
           select property_id, document->>'propertyId' as id from sandbox.search_listing
           where document->>'city' = 'herat' order by property_id limit 1
         ), next as (
           update sandbox.pricing_revision set revision = revision + 1 returning revision
         ), changed as (
           update sandbox.pricing_property hotel set revision = next.revision
           from next, closed where hotel.property_id = closed.property_id
         )
         update sandbox.pricing_rate_plan plan
         set terms = jsonb_set(terms, '{restrictions,closedToDeparture}', $1::jsonb)
         from closed where plan.property_id = closed.property_id
         returning closed.id as "propertyId"`,
        [JSON.stringify(days)],
      )
      const [hotel] = rows
      if (hotel === undefined) throw new Error('no hotel in Herat')
      return hotel.propertyId
    },
    /** A hotel in Kabul that the other upstreams know as well. */
    async owned(): Promise<{ propertyId: PropertyId; tenantId: TenantId }> {
      const { rows } = await client.query<{ propertyId: PropertyId; tenantId: TenantId }>(
        `select document->>'propertyId' as "propertyId", document->>'tenantId' as "tenantId"
         from sandbox.search_listing join sandbox.search_popularity using (property_id)
         where document->>'city' = 'kabul' order by property_id desc limit 1`,
      )
      const [hotel] = rows
      if (hotel === undefined) throw new Error('no hotel in Kabul')
      return hotel
    },
    /** Copies of the first hotel in Kabul at other positions. */
    async build(places: readonly { lat: number; lng: number }[]): Promise<PropertyId[]> {
      const ids = places.map(() => newId('ppt'))
      const columns = [
        ids,
        ids.map(idToUuid),
        places.map(({ lat }) => lat),
        places.map(({ lng }) => lng),
      ]
      await client.query(
        `with model as (
           select * from sandbox.search_listing where document->>'city' = 'kabul'
           order by property_id limit 1
         ), built as (
           select * from unnest($1::text[], $2::uuid[], $3::float8[], $4::float8[])
             as built (id, uuid, lat, lng)
         ), listed as (
           insert into sandbox.search_listing
             (property_id, tenant_id, document, cheapest_micro, cheapest_currency)
           select uuid, tenant_id, document || jsonb_build_object('propertyId', id,
             'geo', jsonb_build_object('lat', lat, 'lng', lng)), cheapest_micro, cheapest_currency
           from model, built
         )
         insert into sandbox.search_availability (property_id, first_night, rooms_left, rooms_total)
         select uuid, first_night, '{}', rooms_total
         from built, model join sandbox.search_availability using (property_id)`,
        columns,
      )
      return ids
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
