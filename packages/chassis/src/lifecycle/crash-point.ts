/**
 * A named place where a test may end the process the hard way, as a power cut would. SIGKILL
 * cannot be caught, so nothing is flushed and no `finally` runs. In production it is a no-op.
 */
const crashAt =
  process.env['NODE_ENV'] === 'production' ? undefined : process.env['MELMASTOON_CRASH_AT']

export function crashPoint(name: string): void {
  if (crashAt === name) process.kill(process.pid, 'SIGKILL')
}
