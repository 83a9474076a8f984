import type { Watch } from '../traveller/open-client.ts'
import { type Say, sayTo } from '../traveller/say.ts'

export interface StaffDemo {
  /** With the time that the requests of a step took. */
  readonly say: Say & { title(text: string): void }
  readonly watch: Watch
  readonly backofficeUrl: string
  /** What proofs name. */
  readonly publicUrl: string
  /** Also the address of iam. */
  readonly sandboxUrl: string
}

export type StaffDemoOptions = Pick<StaffDemo, 'backofficeUrl' | 'publicUrl' | 'sandboxUrl'>

export function createStaffDemo(
  options: StaffDemoOptions,
  write: (line: string) => void,
): StaffDemo {
  let spentMs = 0
  const inner = sayTo(write)
  return {
    ...options,
    watch: (ms) => {
      spentMs += ms
    },
    say: {
      title: (text) => write(`\n── ${text}`),
      step(text) {
        inner.step(spentMs === 0 ? text : `${text} (${Math.round(spentMs)} ms)`)
        spentMs = 0
      },
      detail: (text) => inner.detail(text),
    },
  }
}
