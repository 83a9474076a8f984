import { type Columns, copyRow } from './columns.ts'

/** The first positions of every column hold what changed listings were before. */
export const VERSIONS_MAX = 1_024

const NONE = -1

/**
 * Whoever pages through results keeps the order of the first page: a listing whose price, rating or
 * rooms change meanwhile stays in its old place, and so is neither shown twice nor left out. The
 * oldest versions are forgotten first; a cursor older than they are falls back on the new order.
 */
export class RowVersions {
  /** By position of a version: the row it was of, and that row's version before. */
  readonly #updater = new Int32Array(VERSIONS_MAX).fill(NONE)
  readonly #older = new Int32Array(VERSIONS_MAX).fill(NONE)
  readonly #newest = new Map<number, number>()
  #next = 0

  /** Before `row` is changed. */
  keep(columns: Columns, row: number): void {
    const slot = this.#next
    this.#next = (slot + 1) % VERSIONS_MAX
    const evicted = this.#updater[slot] ?? NONE
    if (this.#newest.get(evicted) === slot) this.#newest.delete(evicted)
    copyRow(columns, row, slot)
    columns.isVisible[slot] = 0
    this.#updater[slot] = row
    this.#older[slot] = this.#newest.get(row) ?? NONE
    this.#newest.set(row, slot)
  }

  /** Where the columns hold the row as it was when `seq` was the last change. */
  asOf(columns: Columns, row: number, seq: number): number {
    let at = row
    while ((columns.changeSeq[at] ?? 0) > seq) {
      const older = at === row ? this.#newest.get(row) : this.#older[at]
      if (older === undefined || older === NONE || this.#updater[older] !== row) return at
      // A reused position holds a newer version than the one that pointed at it.
      if ((columns.changeSeq[older] ?? 0) >= (columns.changeSeq[at] ?? 0)) return at
      at = older
    }
    return at
  }
}
