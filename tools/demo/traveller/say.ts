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
