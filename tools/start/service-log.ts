import { createWriteStream, openSync, renameSync, statSync, type WriteStream } from 'node:fs'

/** Writes the output of a service to a file of bounded size and buffers its last lines. */
export interface ServiceLog {
  readonly file: string
  write(chunk: string): void
  lastLines(count: number): string
  close(): Promise<void>
}

export interface ServiceLogOptions {
  file: string
  maxBytes?: number
  /** Called with every complete line. */
  onLine?: (line: string) => void
}

const MAX_BYTES = 8 * 1024 * 1024
const RECENT_CHARACTERS = 8192

export function openServiceLog(options: ServiceLogOptions): ServiceLog {
  const { file, maxBytes = MAX_BYTES, onLine } = options
  let bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  let stream = openAppending(file)
  let recent = ''
  let unfinished = ''
  const turnOver = () => {
    bytes = 0
    try {
      renameSync(file, `${file}.1`)
      stream.end()
      stream = openAppending(file)
    } catch {
      // The file or its folder was moved: continue to write to the open file.
    }
  }
  const tellLines = (chunk: string) => {
    const lines = (unfinished + chunk).split('\n')
    unfinished = lines.pop() ?? ''
    for (const line of lines) onLine?.(line)
  }
  return {
    file,
    write(chunk) {
      if (bytes > maxBytes) turnOver()
      stream.write(chunk)
      bytes += Buffer.byteLength(chunk)
      recent = (recent + chunk).slice(-RECENT_CHARACTERS)
      if (onLine !== undefined) tellLines(chunk)
    },
    lastLines: (count) => recent.trimEnd().split('\n').slice(-count).join('\n'),
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  }
}

function openAppending(file: string): WriteStream {
  const stream = createWriteStream(file, { fd: openSync(file, 'a') })
  // A full disk must not stop the supervisor: the service continues without its log.
  stream.on('error', () => undefined)
  return stream
}
