import { systemClock } from '@melmastoon/chassis/clock'
import { addDays, type IsoDate, type TenantId, todayIn } from '@melmastoon/domain'
import type { RatePlan } from '@melmastoon/upstream-contracts/pricing'
import type { PropertySummary } from '@melmastoon/upstream-contracts/property'
import { type Html, html } from '../../page/html.ts'
import {
  openNight,
  type RoomTypeNight,
  readNights,
  sellOutNight,
} from '../actions/night-actions.ts'
import { movePrices } from '../actions/price-actions.ts'
import { actionButton } from '../form.ts'
import { tenantCall } from '../operator-call.ts'
import { type View, viewUrl } from '../view.ts'
import { holdTable } from './hold-table.ts'
import { badge, type Section, type SectionContext, showAmount } from './section.ts'

const HOTELS_MAX = 20
const NIGHTS = 14

export const hotelSection: Section = {
  id: 'hotel',
  title: 'Hotel',
  async show(context) {
    const { room, view, operator } = context
    if (view.tenant === null) return html`<p>Choose a <a href="#tenants">tenant</a> first.</p>`
    const { properties } = await room.modules.property.handlers.listByTenant(
      { query: { limit: HOTELS_MAX } },
      tenantCall(operator, view.tenant),
    )
    const chosen = properties.find(({ propertyId }) => propertyId === view.property)
    const hotel = chosen ?? properties[0]
    if (hotel === undefined) return html`<p>The tenant has no hotel.</p>`
    return html`
      ${properties.length > 1 && hotelLinks(properties, hotel, view)}
      ${await showHotel(context, hotel, view.tenant)}`
  },
}

function hotelLinks(
  properties: readonly PropertySummary[],
  hotel: PropertySummary,
  view: View,
): Html {
  const links = properties.map(({ propertyId, name }) => {
    const url = `${viewUrl('/', { ...view, property: propertyId })}#hotel`
    const current = propertyId === hotel.propertyId && html` aria-current="true"`
    return html`<li><a href="${url}"${current}><bdi>${name.default}</bdi></a></li>`
  })
  return html`<nav aria-label="Hotels of the tenant"><ul>${links}</ul></nav>`
}

async function showHotel(
  { room, view, operator }: SectionContext,
  hotel: PropertySummary,
  tenantId: TenantId,
): Promise<Html> {
  const { propertyId, timeZone, name, city } = hotel
  const params = { tenantId, propertyId }
  const from = todayIn(timeZone, systemClock.now())
  const [plans, roomTypes, holds] = await Promise.all([
    room.modules.pricing.ratePlansOf(tenantId, propertyId),
    readNights({ room, operator, params }, { from, to: addDays(from, NIGHTS) }),
    room.modules.reservation.activeHolds(tenantId, propertyId),
  ])
  const place = { params, view }
  return html`
    <p><strong><bdi>${name.default}</bdi></strong>, <bdi>${city.name.default}</bdi>
      <small><code>${propertyId}</code></small></p>
    <h3>Prices</h3>
    <div class="buttons">
      ${actionButton(movePrices, place, { text: 'Up 10 %', fields: { move: 'up' } })}
      ${actionButton(movePrices, place, { text: 'Down 10 %', fields: { move: 'down' } })}
      ${actionButton(movePrices, place, { text: 'Restore', fields: { move: 'back' }, about: 'the original prices' })}
    </div>
    ${priceTable(plans)}
    <h3>Holds</h3>
    ${holdTable(holds, { tenantId, view })}
    <h3>Nights</h3>
    ${nightTable(roomTypes, place)}`
}

function priceTable(plans: readonly RatePlan[]): Html {
  const rows = plans.map(
    ({ code, category, version, prices }) => html`
      <tr>
        <th scope="row"><code>${code}</code> <small>${category}</small></th>
        <td>v${version}</td>
        <td>${prices.map(({ nightly }) => html`<span class="price">${showAmount(nightly)}</span> `)}</td>
      </tr>`,
  )
  return html`
    <div class="scroll"><table>
      <thead><tr><th scope="col">Rate plan</th><th scope="col">Version</th>
        <th scope="col">Per night, by room type</th></tr></thead>
      <tbody>${rows}</tbody>
    </table></div>`
}

interface Place {
  readonly params: {
    readonly tenantId: TenantId
    readonly propertyId: PropertySummary['propertyId']
  }
  readonly view: View
}

function nightTable(roomTypes: readonly RoomTypeNight[], place: Place): Html {
  const nights = [...new Set(roomTypes.flatMap((type) => type.nights.map(({ night }) => night)))]
  const rows = nights.toSorted().map((night) => nightRow(night, roomTypes, place))
  return html`
    <div class="scroll"><table>
      <thead><tr><th scope="col">Night</th><th scope="col">State</th><th scope="col" class="number">Free</th>
        <th scope="col" class="number">Rooms</th><th scope="col"><span class="unseen">Actions</span></th></tr>
      </thead>
      <tbody>${rows}</tbody>
    </table></div>`
}

function nightRow(night: IsoDate, roomTypes: readonly RoomTypeNight[], place: Place): Html {
  const counts = roomTypes.flatMap((type) => type.nights.filter((row) => row.night === night))
  const free = counts.reduce((sum, { available }) => sum + available, 0)
  const capacity = counts.reduce((sum, row) => sum + row.capacity, 0)
  const target = { params: { ...place.params, night }, view: place.view }
  return html`
    <tr>
      <th scope="row"><time datetime="${night}">${night}</time></th>
      <td>${free === 0 ? badge('bad', 'sold out') : badge('good', 'on sale')}</td>
      <td class="number">${free}</td>
      <td class="number">${capacity}</td>
      <td>${free > 0 && actionButton(sellOutNight, target, { text: 'Sell out', about: night })}
        ${actionButton(openNight, target, { text: 'Make available', about: night })}</td>
    </tr>`
}
