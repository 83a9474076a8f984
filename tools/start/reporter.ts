/** One line per step, with its duration; the current step is shown only on a terminal. */
export interface Reporter {
  step<T>(label: string, work: () => Promise<T>, done?: (result: T) => string): Promise<T>
  say(line?: string): void
  warn(line: string): void
  failure(message: string): void
  dim(text: string): string
  bold(text: string): string
}

export interface Screen {
  write(text: string): unknown
  isTTY?: boolean
}

const LABEL_WIDTH = 52
const CLEAR_LINE = '\r\u001b[2K'

export function createReporter(screen: Screen, env: { NO_COLOR?: string | undefined }): Reporter {
  const terminal = screen.isTTY === true
  const paint = painter(terminal && !env.NO_COLOR)
  const active = new Set<string>()
  const print = (line: string | null) => {
    const pending = [...active].join(', ')
    const live = terminal && pending !== '' ? paint.dim(`… ${pending}`) : ''
    screen.write(`${terminal ? CLEAR_LINE : ''}${line === null ? '' : `${line}\n`}${live}`)
  }
  const end = (label: string, line: string) => {
    active.delete(label)
    print(line)
  }
  return {
    async step(label, work, done) {
      const startedAt = performance.now()
      active.add(label)
      if (terminal) print(null)
      try {
        const result = await work()
        const text = done === undefined ? label : done(result)
        end(label, stepLine(paint.green('✓'), text, performance.now() - startedAt))
        return result
      } catch (error) {
        end(label, stepLine(paint.red('✗'), label, performance.now() - startedAt))
        throw error
      }
    },
    say: (line = '') => print(line),
    warn: (line) => print(`${paint.yellow('!')} ${line}`),
    failure: (message) => {
      active.clear()
      print(`${paint.red('✗')} ${message}`)
    },
    dim: paint.dim,
    bold: paint.bold,
  }
}

/** `✓ postgres on 127.0.0.1:54320                            0.4 s`. */
export function stepLine(mark: string, text: string, elapsedMs: number): string {
  return `${mark} ${text.padEnd(LABEL_WIDTH)}${(elapsedMs / 1000).toFixed(1).padStart(6)} s`
}

function painter(colours: boolean) {
  const code = (start: number, end: number) => (text: string) =>
    colours ? `\u001b[${start}m${text}\u001b[${end}m` : text
  return {
    green: code(32, 39),
    red: code(31, 39),
    yellow: code(33, 39),
    dim: code(2, 22),
    bold: code(1, 22),
  }
}
