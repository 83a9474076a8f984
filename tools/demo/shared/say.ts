/** Prints the numbered steps of the demo. */
export interface Say {
  step(text: string): void
  detail(text: string): void
}

export function sayTo(write: (line: string) => void): Say {
  let steps = 0
  return {
    step(text) {
      steps += 1
      write(`\n${String(steps).padStart(2)}. ${text}`)
    },
    detail: (text) => write(`    ${text}`),
  }
}

export interface TimedSay {
  readonly say: Say & { title(text: string): void }
  /** Takes the duration of each request. */
  readonly watch: (ms: number) => void
}

/** Steps are printed with the time that their requests took. */
export function timedSayTo(write: (line: string) => void): TimedSay {
  let spentMs = 0
  const inner = sayTo(write)
  return {
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
