/**
 * A named place where a test may end the process the hard way, as a power cut would. SIGKILL
 * cannot be caught, so nothing is flushed and no `finally` runs. Armed only where both variables
 * say so: a process that is not a test's never is, whatever else its environment holds.
 */
const CRASH_AT = process.env['NODE_ENV'] === 'test' ? process.env['MELMASTOON_CRASH_AT'] : undefined

export function crashPoint(name: string): void {
  if (CRASH_AT === name) process.kill(process.pid, 'SIGKILL')
}
