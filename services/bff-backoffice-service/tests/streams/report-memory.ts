import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { eventually, type SpawnedProcess } from '@melmastoon/testkit'

export interface Memory {
  /** What the operating system counts. */
  readonly rss: number
  /** Objects and buffers. */
  readonly used: number
}

const LABEL = 'memory '
const PASSES = 4
const PAUSE_MS = 150

/** In the measured process: prints its memory, without garbage, when it is asked to. */
export function reportMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const print = async () => {
    // The heap returns its pages to the operating system some time after they are free.
    for (let pass = 0; pass < PASSES; pass += 1) {
      collect()
      await delay(PAUSE_MS)
    }
    const { rss, heapUsed, external } = process.memoryUsage()
    process.stdout.write(`${LABEL}${JSON.stringify({ rss, used: heapUsed + external })}\n`)
  }
  process.on('SIGUSR2', () => void print())
}

export async function memoryOf({ pid, lines }: SpawnedProcess): Promise<Memory> {
  const readings = () => lines.filter((line) => line.startsWith(LABEL))
  const before = readings().length
  process.kill(pid, 'SIGUSR2')
  return await eventually(() => {
    const reading = readings()[before]
    if (reading === undefined) throw new Error('no reading')
    return JSON.parse(reading.slice(LABEL.length)) as Memory
  })
}
