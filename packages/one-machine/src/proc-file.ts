import { readFileSync } from 'node:fs'

/** A file of /proc about a process; null when the process is gone or there is no /proc. */
export function readProcFile(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}
