/**
 * A named place where a test may kill the process, as a power failure would. SIGKILL cannot be
 * caught, so nothing is flushed and no `finally` runs. Active only with both variables set, so
 * never outside tests.
 */
const CRASH_AT = process.env['NODE_ENV'] === 'test' ? process.env['MELMASTOON_CRASH_AT'] : undefined

export function crashPoint(name: string): void {
  if (CRASH_AT === name) process.kill(process.pid, 'SIGKILL')
}
