import { type DestinationStream, pino, stdTimeFunctions } from 'pino'
import { type LogFields, pickLogFields } from './log-fields.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

/** Fields first, like pino; only the fields of `LOG_FIELDS` survive. Messages are fixed texts. */
export interface Logger {
  debug(fields: LogFields, message: string): void
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
  fatal(fields: LogFields, message: string): void
  child(fields: LogFields): Logger
  flush(): void
}

export interface LoggerOptions {
  service: string
  instance?: string
  level?: LogLevel
  destination?: DestinationStream
}

/** Names of Cloud Logging, which every other reader of JSON logs understands as well. */
const SEVERITY: Readonly<Record<string, string>> = {
  debug: 'DEBUG',
  info: 'INFO',
  warn: 'WARNING',
  error: 'ERROR',
  fatal: 'CRITICAL',
}

export function createLogger(options: LoggerOptions): Logger {
  const { service, instance, level = 'info', destination } = options
  const settings = {
    level,
    messageKey: 'message',
    base: instance === undefined ? { service } : { service, instance },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ severity: SEVERITY[label] ?? 'DEFAULT' }) },
  }
  const root = destination === undefined ? pino(settings) : pino(settings, destination)
  return wrap(root)
}

export const silentLogger: Logger = createLogger({ service: 'silent', level: 'silent' })

function wrap(target: pino.Logger): Logger {
  return {
    debug: (fields, message) => write(target, 'debug', { fields, message }),
    info: (fields, message) => write(target, 'info', { fields, message }),
    warn: (fields, message) => write(target, 'warn', { fields, message }),
    error: (fields, message) => write(target, 'error', { fields, message }),
    fatal: (fields, message) => write(target, 'fatal', { fields, message }),
    child: (fields) => wrap(target.child(pickLogFields(fields))),
    flush: () => target.flush(),
  }
}

function write(
  target: pino.Logger,
  level: Exclude<LogLevel, 'silent'>,
  line: { fields: LogFields; message: string },
): void {
  if (target.isLevelEnabled(level)) target[level](pickLogFields(line.fields), line.message)
}
