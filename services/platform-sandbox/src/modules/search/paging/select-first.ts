/** Whether the candidate at `a` precedes the one at `b`. */
export type IsBefore = (a: number, b: number) => boolean

/**
 * The first `limit` of many candidates in order, without sorting all: a heap holds the best so far
 * with the worst of them on top.
 */
export function selectFirst(count: number, limit: number, isBefore: IsBefore): number[] {
  const heap: number[] = []
  for (let candidate = 0; candidate < count; candidate += 1) {
    if (heap.length < limit) {
      heap.push(candidate)
      siftUp(heap, isBefore)
    } else if (isBefore(candidate, heap[0] ?? 0)) {
      heap[0] = candidate
      siftDown(heap, isBefore)
    }
  }
  return heap.sort((a, b) => (isBefore(a, b) ? -1 : 1))
}

function siftUp(heap: number[], isBefore: IsBefore): void {
  let at = heap.length - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!isBefore(heap[parent] ?? 0, heap[at] ?? 0)) return
    swap(heap, parent, at)
    at = parent
  }
}

function siftDown(heap: number[], isBefore: IsBefore): void {
  let at = 0
  for (;;) {
    let worst = at
    for (let child = 2 * at + 1; child <= 2 * at + 2 && child < heap.length; child += 1) {
      if (isBefore(heap[worst] ?? 0, heap[child] ?? 0)) worst = child
    }
    if (worst === at) return
    swap(heap, at, worst)
    at = worst
  }
}

function swap(heap: number[], a: number, b: number): void {
  const swapped = heap[a] ?? 0
  heap[a] = heap[b] ?? 0
  heap[b] = swapped
}
