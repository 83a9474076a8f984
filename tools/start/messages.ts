/** A failure the user can resolve: printed as one message, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

export const alreadyRunning = (pid: number): StartError =>
  new StartError(
    `Melmastoon is already running here (process ${pid}): use it, or stop it first (Ctrl-C in its window, or: kill ${pid}).`,
  )

export const portTaken = (what: string, port: number, variable: string): StartError =>
  new StartError(
    `Port ${port}, which ${what} needs, is used by another program: stop that program, or move ${what} with ${variable}=<port>.`,
  )

export const badPort = (variable: string, value: string): StartError =>
  new StartError(`${variable} is "${value}": a port is a whole number from 1 to 65535.`)

export const samePort = (port: number, first: string, second: string): StartError =>
  new StartError(
    `${first} and ${second} both want port ${port}: move one with ${portVariable(second)}=<port>.`,
  )

export const badTransport = (value: string): StartError =>
  new StartError(`EVENT_TRANSPORT is "${value}": it can be redis-streams or pubsub.`)

export const unknownOption = (option: string): StartError =>
  new StartError(`There is no option ${option}. "npm start -- --help" lists them.`)

export const notWritable = (folder: string): StartError =>
  new StartError(
    `Cannot write to ${folder}: run this as its owner, or name another folder with MELMASTOON_DATA=<folder>.`,
  )

export const freshElsewhere = (variable: string): StartError =>
  new StartError(
    `--fresh wipes only the data kept on this machine, and ${variable} points at a server of yours: leave out one of the two.`,
  )

export const notStarted = (postgresPort: number): StartError =>
  new StartError(
    `Nothing answers on 127.0.0.1:${postgresPort}: start the product first (npm start), or name a database with DATABASE_URL.`,
  )

export const leftByAnother = (pids: readonly number[]): StartError =>
  new StartError(
    `A run that was killed left ${pids.join(', ')} behind, which this user may not end: end it as the user who started it (kill -9 ${pids.join(' ')}), or name another folder with MELMASTOON_DATA=<folder>.`,
  )

export const badManifest = (file: string, problem: string): StartError =>
  new StartError(`${file}: ${problem}`)

export const unreachable = (variable: string, address: string, reason: string): StartError =>
  new StartError(`${variable}: no answer from ${address} (${reason}).`)

export const stepFailed = (what: string, code: string, lines: string): StartError =>
  new StartError(`${what} failed (${code}). Its last lines:\n${indent(lines)}`)

export const diedEarly = (service: string, how: string, log: LogExcerpt): StartError =>
  new StartError(`${service} ended before it was ready (${how}). ${excerpt(log)}`)

export const notReady = (
  service: string,
  { seconds, answer }: { seconds: number; answer: string },
  log: LogExcerpt,
): StartError =>
  new StartError(
    `${service} was not ready after ${seconds} s; /health/ready said: ${answer}. ${excerpt(log)}`,
  )

export const gaveUp = (service: string, times: number, log: LogExcerpt): StartError =>
  new StartError(`${service} keeps ending: restarted ${times} times, then left. ${excerpt(log)}`)

export interface LogExcerpt {
  file: string
  lines: string
}

/** `bff-consumer-service` → `MELMASTOON_BFF_CONSUMER_SERVICE_PORT`. */
export function portVariable(name: string): string {
  return `MELMASTOON_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_PORT`
}

function excerpt(log: LogExcerpt): string {
  return log.lines === ''
    ? `It wrote nothing to ${log.file}.`
    : `The last lines of ${log.file}:\n${indent(log.lines)}`
}

function indent(lines: string): string {
  return lines
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
}
