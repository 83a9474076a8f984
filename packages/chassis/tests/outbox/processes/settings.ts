export interface ProcessSettings {
  appUrl: string
  relayUrl: string
  redisUrl: string
  owner?: string
  leaseSeconds?: number
  batchSize?: number
  stopMs?: number
  /** Delay between the broker's response and the rest of the relay's work. */
  lingerMs?: number
  hang?: boolean
  /** False for the negative control of the fence. */
  fenced?: boolean
  ackDeadlineMs?: number
  twoTransactions?: boolean
}

export function readSettings(): ProcessSettings {
  return JSON.parse(process.argv[2] ?? '{}')
}

export function report(line: string): void {
  process.stdout.write(`${line}\n`)
}
