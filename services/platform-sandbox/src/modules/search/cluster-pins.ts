import type { LatLng } from './area/sphere.ts'
import type { ListingIndex } from './index/listing-index.ts'

interface Box {
  readonly swLat: number
  readonly swLng: number
  readonly neLat: number
  readonly neLng: number
}

export interface Cluster {
  readonly count: number
  readonly geo: LatLng
  readonly box: Box
}

export interface ClusteredPins {
  /** Rows that are alone in their cell. */
  readonly singles: readonly number[]
  readonly clusters: readonly Cluster[]
}

const WORLD_DEGREES = 360
/** Cells of a few centimetres: smaller boxes have one. */
const DEPTH_MAX = 30

/**
 * One cluster per cell of a grid over the whole world, so that clusters keep their places when the
 * map is moved. The cells are the smallest of which the box has at most `limit`.
 */
export function clusterPins(
  { columns }: ListingIndex,
  rows: Int32Array,
  { box, limit }: { readonly box: Box; readonly limit: number },
): ClusteredPins {
  const size = cellSize(box, limit)
  const cells = new Map<number, number[]>()
  for (const row of rows) {
    const key = cellOf({ lat: columns.lat[row] ?? 0, lng: columns.lng[row] ?? 0 }, size)
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, [row])
    else cell.push(row)
  }
  const groups = [...cells.values()]
  return {
    singles: groups.flatMap((cell) => (cell.length === 1 ? cell : [])),
    clusters: groups
      .filter((cell) => cell.length > 1)
      .map((cell) => describe(cell.map((row) => positionOf(columns, row)))),
  }
}

function positionOf(columns: ListingIndex['columns'], row: number): LatLng {
  return { lat: columns.lat[row] ?? 0, lng: columns.lng[row] ?? 0 }
}

function cellSize({ swLat, swLng, neLat, neLng }: Box, limit: number): number {
  const width = neLng < swLng ? neLng + WORLD_DEGREES - swLng : neLng - swLng
  const height = neLat - swLat
  // A box cuts one more column and row than its size, because the grid does not start at its edge.
  const cellsIn = (size: number) => (Math.ceil(width / size) + 1) * (Math.ceil(height / size) + 1)
  let size = WORLD_DEGREES
  for (let depth = 1; depth <= DEPTH_MAX; depth += 1) {
    const half = size / 2
    if (cellsIn(half) > limit) break
    size = half
  }
  return size
}

/** The grid divides the world evenly, so 180° east and west are in neighbouring cells. */
function cellOf({ lat, lng }: LatLng, size: number): number {
  const columns = WORLD_DEGREES / size
  const column = Math.floor((lng + 180) / size) % columns
  const row = Math.floor((lat + 90) / size)
  return row * columns + column
}

/** A cell never crosses the antimeridian, so its coordinates can be averaged. */
function describe(pins: readonly LatLng[]): Cluster {
  const lats = pins.map(({ lat }) => lat)
  const lngs = pins.map(({ lng }) => lng)
  const mean = (values: readonly number[]) =>
    Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 1e6) / 1e6
  return {
    count: pins.length,
    geo: { lat: mean(lats), lng: mean(lngs) },
    box: {
      swLat: Math.min(...lats),
      swLng: Math.min(...lngs),
      neLat: Math.max(...lats),
      neLng: Math.max(...lngs),
    },
  }
}
