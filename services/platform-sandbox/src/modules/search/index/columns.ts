/** From the day before the load: one year ahead plus the longest stay fit for a month. */
export const NIGHTS_WIDTH = 512
/** 128 kinds of amenity can be filtered; further ones are not indexed. */
export const AMENITY_WORDS = 4
export const AMENITIES_MAX = AMENITY_WORDS * 32

/**
 * One array per attribute and one position per listing: a scan reads only the attributes it needs.
 */
export type Columns = {
  readonly capacity: number
  readonly isVisible: Uint8Array
  readonly lat: Float64Array
  readonly lng: Float64Array
  readonly x: Float64Array
  readonly y: Float64Array
  readonly z: Float64Array
  /** Zero: no published price. */
  readonly priceMicro: Float64Array
  readonly priceUsdMicro: Float64Array
  readonly currency: Uint8Array
  /** Zero: not rated. */
  readonly rating: Float64Array
  readonly ratingCount: Float64Array
  readonly stars: Uint8Array
  readonly propertyType: Int32Array
  readonly city: Int32Array
  readonly region: Int32Array
  readonly neighbourhood: Int32Array
  readonly timeZone: Int32Array
  readonly capacityTable: Int32Array
  readonly openedDay: Int32Array
  readonly popularityPoints: Int32Array
  readonly ratingPoints: Int32Array
  readonly pricePoints: Int32Array
  readonly roomsTotal: Int16Array
  readonly changeSeq: Float64Array
  /** Another number after every change of what the offers of a listing depend on. */
  readonly offerStamp: Int32Array
  /** `AMENITY_WORDS` per listing. */
  readonly amenities: Uint32Array
  /** `NIGHTS_WIDTH` per listing, from the first day of the index. */
  readonly roomsLeft: Int16Array
}

export function allocateColumns(capacity: number): Columns {
  const float = () => new Float64Array(capacity)
  const int = () => new Int32Array(capacity)
  const byte = () => new Uint8Array(capacity)
  return {
    capacity,
    isVisible: byte(),
    lat: float(),
    lng: float(),
    x: float(),
    y: float(),
    z: float(),
    priceMicro: float(),
    priceUsdMicro: float(),
    currency: byte(),
    rating: float(),
    ratingCount: float(),
    stars: byte(),
    propertyType: int(),
    city: int(),
    region: int(),
    neighbourhood: int(),
    timeZone: int(),
    capacityTable: int(),
    openedDay: int(),
    popularityPoints: int(),
    ratingPoints: int(),
    pricePoints: int(),
    roomsTotal: new Int16Array(capacity),
    changeSeq: float(),
    offerStamp: int(),
    amenities: new Uint32Array(capacity * AMENITY_WORDS),
    roomsLeft: new Int16Array(capacity * NIGHTS_WIDTH),
  }
}

export function growColumns(columns: Columns, capacity: number): Columns {
  const grown = allocateColumns(capacity)
  const targets = arraysOf(grown)
  for (const [index, source] of arraysOf(columns).entries()) targets[index]?.set(source)
  return grown
}

export function copyRow(columns: Columns, from: number, to: number): void {
  for (const array of arraysOf(columns)) {
    const width = array.length / columns.capacity
    array.copyWithin(to * width, from * width, (from + 1) * width)
  }
}

type Column = Exclude<Columns[keyof Columns], number>

function arraysOf(columns: Columns): Column[] {
  return Object.values<number | Column>(columns).filter((value) => typeof value !== 'number')
}
