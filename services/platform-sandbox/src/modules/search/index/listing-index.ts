import { CURRENCY_CODES, type PropertyId, type TenantId } from '@melmastoon/domain'
import type { Listing } from '@melmastoon/upstream-contracts/search'
import type { ExchangeRates, RateCard } from '../../pricing/module.ts'
import { type ListingDocument, toListing } from '../listing-document.ts'
import { popularityPoints, pricePoints } from '../ranking/signals.ts'
import type { FxRates } from '../search-sources.ts'
import { searchableWords } from '../text/normalize-text.ts'
import { buildCapacityTable, type CapacityTable } from './capacity-table.ts'
import { allocateColumns, type Columns, growColumns, NIGHTS_WIDTH } from './columns.ts'
import { Dictionary } from './dictionary.ts'
import { toEpochDay } from './epoch-day.ts'
import type { AvailabilityRow, ListingRow, PopularityRow, TenantRow } from './feed-rows.ts'
import { toUsdMicro } from './fx-table.ts'
import { ListedStock } from './listed-stock.ts'
import { namesOf, type Place, Places } from './places.ts'
import { RoomNights } from './room-nights.ts'
import { RowVersions, VERSIONS_MAX } from './row-versions.ts'
import { TokenIndex } from './token-index.ts'
import { writeListing } from './write-listing.ts'

const CAPACITY_FIRST = VERSIONS_MAX + 4_096

export interface ListingIndexOptions {
  /** The day before today: the first night of the columns. */
  readonly firstDay: number
  readonly publicUrl: string
  readonly rates: FxRates
}

/**
 * The whole index in memory, as columns. All reads and writes are synchronous, so a query sees one
 * state. Rows begin at `firstRow`; the positions before hold former versions.
 */
export class ListingIndex {
  readonly firstRow = VERSIONS_MAX
  readonly firstDay: number
  readonly cities = new Dictionary()
  readonly regions = new Dictionary()
  readonly neighbourhoods = new Dictionary()
  readonly propertyTypes = new Dictionary()
  readonly amenities = new Dictionary()
  readonly timeZones = new Dictionary()
  readonly tokens = new TokenIndex()
  readonly versions = new RowVersions()
  readonly capacityTables: CapacityTable[] = []
  readonly documents: (ListingDocument | undefined)[] = []
  readonly popularity: (PopularityRow | undefined)[] = []
  /** Of former versions too, like the columns. */
  readonly rateCards: (RateCard | undefined)[] = []
  readonly stocks: (ListedStock | undefined)[] = []
  columns: Columns = allocateColumns(CAPACITY_FIRST)
  places = new Places([])
  rates: FxRates
  /** Those of the prices shown; null while there are none. Renewed before prices are compared. */
  exchange: ExchangeRates | null = null
  /** One after the last row. */
  endRow = VERSIONS_MAX
  /** The number of the last applied change. */
  seq = 0
  /** Incremented when listings appear or disappear; derived data is then recomputed. */
  listedRevision = 0
  readonly #publicUrl: string
  readonly #rows = new Map<PropertyId, number>()
  readonly #ids: (PropertyId | undefined)[] = []
  readonly #listings: (Listing | undefined)[] = []
  readonly #bytes: (Buffer | undefined)[] = []
  readonly #roomNights: (RoomNights | undefined)[] = []
  #offerStamps = 0
  readonly #published = new Set<number>()
  readonly #suspended = new Set<TenantId>()
  readonly #rowsOfTenant = new Map<TenantId, Set<number>>()
  readonly #capacityNumbers = new Dictionary()
  readonly #applied = new Map<string, number>()

  constructor({ firstDay, publicUrl, rates }: ListingIndexOptions) {
    this.firstDay = firstDay
    this.rates = rates
    this.#publicUrl = publicUrl
  }

  rowOf(propertyId: PropertyId): number | undefined {
    const row = this.#rows.get(propertyId)
    return row !== undefined && this.columns.isVisible[row] === 1 ? row : undefined
  }

  idOf(row: number): PropertyId {
    const id = this.#ids[row]
    if (id === undefined) throw new TypeError('no such row')
    return id
  }

  documentOf(row: number): ListingDocument {
    const document = this.documents[row]
    if (document === undefined) throw new TypeError('no such row')
    return document
  }

  listingOf(row: number): Listing {
    this.#listings[row] ??= this.#compose(this.documentOf(row))
    return this.#listings[row]
  }

  /** Its JSON without the closing brace, so that a search can append members. */
  listingBytes(row: number): Buffer {
    this.#bytes[row] ??= Buffer.from(JSON.stringify(this.listingOf(row)).slice(0, -1))
    return this.#bytes[row]
  }

  applyPlaces(places: readonly Place[]): void {
    this.places = new Places(places)
    this.#listings.length = 0
    this.#bytes.length = 0
    for (const [row, document] of this.documents.entries()) {
      if (document !== undefined) this.tokens.put(row, this.#wordsOf(document))
    }
  }

  applyRates(rates: FxRates): void {
    this.rates = rates
    for (let row = this.firstRow; row < this.endRow; row += 1) this.#convertPrice(row)
  }

  /** Whether the rates of the listing are newer than those of the index. */
  needsRates({ document, ratesRevision }: ListingRow): boolean {
    const row = this.#rows.get(document.propertyId)
    const known = row === undefined ? undefined : this.rateCards[row]
    return known === undefined || known.revision < ratesRevision
  }

  /** Without `rates` those of the index stay. */
  applyListing(change: ListingRow, rates?: RateCard): void {
    const { document, seq } = change
    if (!this.#isChange(`listing:${document.propertyId}`, seq)) return
    const row = this.#change(document.propertyId, seq)
    this.documents[row] = document
    if (rates !== undefined) this.rateCards[row] = rates
    this.#renewStock(row)
    this.#listings[row] = undefined
    this.#bytes[row] = undefined
    writeListing(this, row, change)
    this.#convertPrice(row)
    this.columns.capacityTable[row] = this.#capacityNumber(document)
    this.tokens.put(row, this.#wordsOf(document))
    if (change.isPublished) this.#published.add(row)
    else this.#published.delete(row)
    const siblings = this.#rowsOfTenant.get(document.tenantId)
    if (siblings) siblings.add(row)
    else this.#rowsOfTenant.set(document.tenantId, new Set([row]))
    this.#show(row)
  }

  applyAvailability(change: AvailabilityRow): void {
    const { propertyId, seq, firstNight, roomsLeft, roomsTotal } = change
    if (!this.#isChange(`availability:${propertyId}`, seq)) return
    const row = this.#change(propertyId, seq)
    const { columns } = this
    this.#roomNights[row] = new RoomNights(toEpochDay(firstNight), change.roomTypes)
    this.#renewStock(row)
    const offset = this.firstDay - toEpochDay(firstNight)
    columns.roomsTotal[row] = roomsTotal
    for (let night = 0; night < NIGHTS_WIDTH; night += 1) {
      const left = roomsLeft[night + offset]
      columns.roomsLeft[row * NIGHTS_WIDTH + night] = left ?? (night + offset < 0 ? 0 : roomsTotal)
    }
  }

  applyPopularity(change: PopularityRow): void {
    const { propertyId, seq, baseScore, viewed7d } = change
    if (!this.#isChange(`popularity:${propertyId}`, seq)) return
    const points = popularityPoints(baseScore, viewed7d)
    const known = this.#rows.get(propertyId)
    const isSame = known !== undefined && this.columns.popularityPoints[known] === points
    const row = isSame ? known : this.#change(propertyId, seq)
    this.columns.popularityPoints[row] = points
    this.popularity[row] = change
  }

  applyTenant({ tenantId, seq, isSuspended }: TenantRow): void {
    if (!this.#isChange(`tenant:${tenantId}`, seq)) return
    if (isSuspended) this.#suspended.add(tenantId)
    else this.#suspended.delete(tenantId)
    for (const row of this.#rowsOfTenant.get(tenantId) ?? []) this.#show(row)
  }

  /** Changes are read again while an older transaction runs. */
  #isChange(what: string, seq: number): boolean {
    if ((this.#applied.get(what) ?? 0) >= seq) return false
    this.#applied.set(what, seq)
    this.seq = Math.max(this.seq, seq)
    return true
  }

  /** The row to write to; its previous state is stored for running page sequences. */
  #change(propertyId: PropertyId, seq: number): number {
    const known = this.#rows.get(propertyId)
    if (known === undefined) return this.#addRow(propertyId, seq)
    if (this.columns.isVisible[known] === 1) this.#storeVersion(known)
    this.columns.changeSeq[known] = Math.max(this.columns.changeSeq[known] ?? 0, seq)
    return known
  }

  #storeVersion(row: number): void {
    const slot = this.versions.store(this.columns, row)
    this.rateCards[slot] = this.rateCards[row]
    this.stocks[slot] = this.stocks[row]
  }

  #renewStock(row: number): void {
    const document = this.documents[row]
    if (document !== undefined) this.stocks[row] = new ListedStock(document, this.#roomNights[row])
    this.#offerStamps += 1
    this.columns.offerStamp[row] = this.#offerStamps
  }

  #addRow(propertyId: PropertyId, seq: number): number {
    const row = this.endRow
    if (row === this.columns.capacity) {
      this.columns = growColumns(this.columns, this.columns.capacity * 2)
    }
    this.endRow += 1
    this.#rows.set(propertyId, row)
    this.#ids[row] = propertyId
    this.columns.changeSeq[row] = seq
    return row
  }

  #show(row: number): void {
    const tenantId = this.documents[row]?.tenantId
    const isShown =
      tenantId !== undefined && this.#published.has(row) && !this.#suspended.has(tenantId)
    this.columns.isVisible[row] = isShown ? 1 : 0
    this.listedRevision += 1
  }

  #convertPrice(row: number): void {
    const { columns, rates } = this
    const micro = columns.priceMicro[row] ?? 0
    const currency = CURRENCY_CODES[columns.currency[row] ?? 0] ?? 'USD'
    const usdMicro = micro === 0 ? 0 : toUsdMicro(rates, micro, currency)
    columns.priceUsdMicro[row] = usdMicro
    columns.pricePoints[row] = pricePoints(usdMicro)
  }

  #capacityNumber({ roomTypes }: ListingDocument): number {
    const shape = JSON.stringify(roomTypes.map((t) => [t.adultsMax, t.childrenMax, t.rooms]))
    const number = this.#capacityNumbers.add(shape)
    this.capacityTables[number] ??= buildCapacityTable(roomTypes)
    return number
  }

  #wordsOf(document: ListingDocument) {
    const { city, neighbourhood, name } = document
    const places = [this.places.get('city', city)]
    if (neighbourhood) places.push(this.places.get('neighbourhood', `${city}/${neighbourhood}`))
    const placeNames = [city, ...places.flatMap((place) => (place ? namesOf(place) : []))]
    const names = namesOf({ names: name }).map(searchableWords)
    return {
      names: new Set(names.flat()),
      leads: new Set(names.flatMap(([first]) => first ?? [])),
      places: new Set(placeNames.flatMap(searchableWords)),
    }
  }

  #compose(document: ListingDocument): Listing {
    const cityName = this.places.get('city', document.city)?.names ?? { default: document.city }
    const quarter = this.places.get('neighbourhood', `${document.city}/${document.neighbourhood}`)
    const neighbourhoodName = quarter?.names
    return toListing(document, { cityName, neighbourhoodName, publicUrl: this.#publicUrl })
  }
}
