import { hash } from 'node:crypto'

/**
 * Deterministic random numbers: xoshiro128** seeded with the SHA-256 of a text. The results depend
 * only on the text, so the demo world is the same on every machine.
 */
export class SeededRandom {
  readonly #origin: readonly [number, number, number, number]
  #a: number
  #b: number
  #c: number
  #d: number

  private constructor(origin: readonly [number, number, number, number]) {
    const [a, b, c, d] = origin
    this.#origin = origin
    this.#a = a
    this.#b = b
    this.#c = c
    this.#d = d | 1
  }

  static of(text: string): SeededRandom {
    const bytes = hash('sha256', text, 'buffer')
    const word = (index: number) => bytes.readUInt32LE(index * 4)
    return new SeededRandom([word(0), word(1), word(2), word(3)])
  }

  /** An independent stream per index, whatever was drawn from this one before. */
  fork(index: number): SeededRandom {
    const [a, b, c, d] = this.#origin
    const step = mix(Math.imul(index + 1, 0x9e3779b9))
    return new SeededRandom([mix(a ^ step), mix(b + step), mix(c ^ ~step), mix(d - step)])
  }

  /** 0 ≤ x < 1 */
  next(): number {
    const result = Math.imul(rotate(Math.imul(this.#b, 5), 7), 9) >>> 0
    const shifted = this.#b << 9
    this.#c ^= this.#a
    this.#d ^= this.#b
    this.#b ^= this.#c
    this.#a ^= this.#d
    this.#c ^= shifted
    this.#d = rotate(this.#d, 11)
    return result / 0x1_0000_0000
  }

  /** Both ends are included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length - 1)]
    if (item === undefined) throw new TypeError('nothing to pick from')
    return item
  }
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}

/** The finalizer of splitmix32: spreads neighbouring numbers. */
function mix(word: number): number {
  let mixed = word | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
