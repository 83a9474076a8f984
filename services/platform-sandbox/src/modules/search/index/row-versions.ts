import { type Columns, copyRow } from './columns.ts'

/** The first positions of every column hold former versions of changed listings. */
export const VERSIONS_MAX = 1_024

const NONE = -1

/**
 * Later pages use the order of the first one: a listing whose price, rating or rooms change
 * in the meantime stays in its old position, so that it is neither repeated nor skipped. The oldest
 * versions are dropped first; a cursor older than they are falls back to the new order.
 */
export class RowVersions {
  /** Per version position: its row, and the previous version of that row. */
  readonly #updater = new Int32Array(VERSIONS_MAX).fill(NONE)
  readonly #older = new Int32Array(VERSIONS_MAX).fill(NONE)
  readonly #newest = new Map<number, number>()
  #next = 0

  /** Called before `row` is changed. Returns the position of the former version. */
  store(columns: Columns, row: number): number {
    const slot = this.#next
    this.#next = (slot + 1) % VERSIONS_MAX
    const evicted = this.#updater[slot] ?? NONE
    if (this.#newest.get(evicted) === slot) this.#newest.delete(evicted)
    copyRow(columns, row, slot)
    columns.isVisible[slot] = 0
    this.#updater[slot] = row
    this.#older[slot] = this.#newest.get(row) ?? NONE
    this.#newest.set(row, slot)
    return slot
  }

  /** The position of the row as it was when `seq` was the last change. */
  asOf(columns: Columns, row: number, seq: number): number {
    let at = row
    while ((columns.changeSeq[at] ?? 0) > seq) {
      const older = at === row ? this.#newest.get(row) : this.#older[at]
      if (older === undefined || older === NONE || this.#updater[older] !== row) return at
      // A reused position holds a newer version than the one that referred to it.
      if ((columns.changeSeq[older] ?? 0) >= (columns.changeSeq[at] ?? 0)) return at
      at = older
    }
    return at
  }
}
