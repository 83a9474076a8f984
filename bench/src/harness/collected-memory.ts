import { setImmediate } from 'node:timers/promises'

/** Memory after a full garbage collection; the worker must run with `--expose-gc`. */
export async function collectedMemory(): Promise<NodeJS.MemoryUsage> {
  if (globalThis.gc === undefined) throw new Error('the worker was started without --expose-gc')
  for (let turn = 0; turn < 3; turn += 1) {
    globalThis.gc()
    await setImmediate()
  }
  return process.memoryUsage()
}
