import { portVariable } from '../bootstrap/start-help.mjs'

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
    `Port ${port}, which ${what} needs, is used by another program: stop that program, or set another port with ${variable}=<port>.`,
  )

export const badPort = (variable: string, value: string): StartError =>
  new StartError(`${variable} is "${value}": a port is a whole number from 1 to 65535.`)

export const samePort = (port: number, first: string, second: string): StartError =>
  new StartError(
    `${first} and ${second} both use port ${port}: change one with ${portVariable(second)}=<port>.`,
  )

export const badTransport = (value: string): StartError =>
  new StartError(`EVENT_TRANSPORT is "${value}": it must be redis-streams or pubsub.`)

export const unknownOption = (option: string): StartError =>
  new StartError(`There is no option ${option}. "npm start -- --help" lists them.`)

export const notWritable = (folder: string): StartError =>
  new StartError(
    `Cannot write to ${folder}: run this as its owner, or set another folder with MELMASTOON_DATA=<folder>.`,
  )

export const freshElsewhere = (variable: string): StartError =>
  new StartError(
    `--fresh deletes only data stored on this machine, but ${variable} selects another server: omit one of the two.`,
  )

export const notStarted = (postgresPort: number): StartError =>
  new StartError(
    `The database on 127.0.0.1:${postgresPort} is not reachable: start the product first (npm start), or set DATABASE_URL.`,
  )

export const startedElsewhere = (what: string): StartError =>
  new StartError(
    `${what} belongs to a product that was started from another folder: run this command there, or start the product here on other ports (npm start -- --help lists the variables) and set the same ports for this command.`,
  )

export const leftByAnother = (pids: readonly number[]): StartError =>
  new StartError(
    `Processes ${pids.join(', ')} of a killed run are still running, and this user may not stop them: stop them as the user who started them (kill -9 ${pids.join(' ')}), or set another folder with MELMASTOON_DATA=<folder>.`,
  )

export const badManifest = (file: string, problem: string): StartError =>
  new StartError(`${file}: ${problem}`)

export const unreachable = (variable: string, address: string, reason: string): StartError =>
  new StartError(`${variable}: ${address} is not reachable (${reason}).`)

export const stepFailed = (what: string, code: string, lines: string): StartError =>
  new StartError(`${what} failed (${code}). Its last lines:\n${indent(lines)}`)

export const diedEarly = (service: string, how: string, log: LogExcerpt): StartError =>
  new StartError(`${service} ended before it was ready (${how}). ${excerpt(log)}`)

export const notReady = (
  service: string,
  { seconds, status }: { seconds: number; status: string },
  log: LogExcerpt,
): StartError =>
  new StartError(
    `${service} was not ready after ${seconds} s; /health/ready: ${status}. ${excerpt(log)}`,
  )

export const gaveUp = (service: string, times: number, log: LogExcerpt): StartError =>
  new StartError(
    `${service} exits repeatedly: restarted ${times} times, now stopped. ${excerpt(log)}`,
  )

export interface LogExcerpt {
  file: string
  lines: string
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
