import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import { countByPlace } from './index/count-by-place.ts'
import type { ListingIndex } from './index/listing-index.ts'
import { WORDS_MAX } from './index/token-index.ts'
import { selectFirst } from './paging/select-first.ts'
import { wordsOf } from './text/normalize-text.ts'

type Suggestion = OutputOf<typeof searchContract.operations.suggest>['suggestions'][number]

const LIMIT = 8
/** Places before hotels, larger places first. */
const KIND_RANK = { city: 0, region: 1, neighbourhood: 2, property: 3 } as const

interface Ranked {
  /** 0 where the name starts with the text, 1 where a later word does. */
  readonly depth: number
  readonly weight: number
  readonly key: string
}

interface Candidate extends Ranked {
  readonly suggestion: Suggestion
}

export function suggestNames(index: ListingIndex, q: string, limit = LIMIT): Suggestion[] {
  const words = wordsOf(q).slice(0, WORDS_MAX)
  if (words.length === 0) return []
  const typed = words.join(' ')
  const found = [...matchPlaces(index, typed), ...matchProperties(index, words, limit)]
  const first = found.toSorted(compareCandidates).slice(0, limit)
  return first.map(({ suggestion }) => suggestion)
}

function compareCandidates(a: Candidate, b: Candidate): number {
  const kinds = KIND_RANK[a.suggestion.kind] - KIND_RANK[b.suggestion.kind]
  if (a.depth !== b.depth) return a.depth - b.depth
  return kinds || (isBefore(a, b) ? -1 : 1)
}

function isBefore(a: Ranked | undefined, b: Ranked | undefined): boolean {
  if (a === undefined || b === undefined) return a !== undefined
  if (a.depth !== b.depth) return a.depth < b.depth
  return a.weight === b.weight ? a.key < b.key : a.weight > b.weight
}

function matchPlaces(index: ListingIndex, typed: string): Candidate[] {
  const counts = countByPlace(index)
  return index.places.all.flatMap(({ place, spellings }) => {
    const depth = depthOf(spellings, typed)
    if (depth === null) return []
    const { kind, key, names, country, lat, lng } = place
    const properties = counts.get(`${kind}:${key}`) ?? 0
    if (properties === 0) return []
    const suggestion = { kind, key, name: { ...names }, country, geo: { lat, lng }, properties }
    return [{ suggestion, depth, weight: properties, key }]
  })
}

function depthOf(spellings: readonly string[], typed: string): number | null {
  if (spellings.some((spelling) => spelling.startsWith(typed))) return 0
  return spellings.some((spelling) => spelling.includes(` ${typed}`)) ? 1 : null
}

/** Most popular first. */
function matchProperties(index: ListingIndex, words: string[], limit: number): Candidate[] {
  const { named, leading } = index.tokens.match(words, index.columns.capacity)
  const { isVisible, popularityPoints } = index.columns
  const all = (1 << words.length) - 1
  const found: (Ranked & { row: number })[] = []
  for (let row = index.firstRow; row < index.endRow; row += 1) {
    if (isVisible[row] !== 1 || named[row] !== all) continue
    const depth = (leading[row] ?? 0) & 1 ? 0 : 1
    found.push({ row, depth, weight: popularityPoints[row] ?? 0, key: index.idOf(row) })
  }
  const first = selectFirst(found.length, limit, (a, b) => isBefore(found[a], found[b]))
  return first.flatMap((at) => {
    const ranked = found[at]
    if (ranked === undefined) return []
    const { propertyId, name, country, geo } = index.documentOf(ranked.row)
    const kind = 'property' as const
    return { ...ranked, suggestion: { kind, key: propertyId, name, country, geo, properties: 1 } }
  })
}
