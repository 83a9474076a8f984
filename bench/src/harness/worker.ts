import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onCore, SERVER_CORE } from './cores.ts'

export interface Worker extends AsyncDisposable {
  readonly pid: number
  run(command: string, input?: unknown): Promise<unknown>
}

export interface WorkerOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArgs?: readonly string[]
  /** Null leaves the choice to the system. */
  readonly core?: number | null
  /** Variants of the short form may share a process, since nothing is compared there. */
  readonly share?: boolean
  /** Runs until the end of the benchmark instead of the end of its row. */
  readonly untilEnd?: boolean
}

/** Function that stops a worker → whether it runs until the end of the benchmark. */
const running = new Map<() => Promise<void>, boolean>()

/** Processes that a failed row left running would prevent the benchmark from ending. */
export async function stopWorkers({ all = false } = {}): Promise<void> {
  const stops = [...running].filter(([, untilEnd]) => all || !untilEnd)
  await Promise.all(stops.map(([stop]) => stop()))
}

const sharedWorkers = new Map<string, { worker: Worker; users: number }>()

function joinShared(entry: URL, options: WorkerOptions): Worker {
  const key = `${entry.href} ${JSON.stringify(options.env ?? {})}`
  const known = sharedWorkers.get(key) ?? { worker: startAlone(entry, options), users: 0 }
  known.users += 1
  sharedWorkers.set(key, known)
  return {
    ...known.worker,
    async [Symbol.asyncDispose]() {
      known.users -= 1
      if (known.users > 0) return
      sharedWorkers.delete(key)
      await known.worker[Symbol.asyncDispose]()
    },
  }
}

interface Reply {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

/** A separate process, so that variants do not influence each other. */
export function startWorker(entry: URL, options: WorkerOptions = {}): Worker {
  return options.share === true ? joinShared(entry, options) : startAlone(entry, options)
}

/** The cache is set by `npm test` only: what is measured starts as in production. */
function inherited(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE: cache } = process.env
  return { PATH, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) }
}

function startAlone(entry: URL, options: WorkerOptions): Worker {
  const { env = {}, core = SERVER_CORE, nodeArgs = [] } = options
  const program = [process.execPath, ...nodeArgs, fileURLToPath(entry)]
  const [command = '', ...args] = onCore(core, program)
  const child = spawn(command, args, {
    env: { ...inherited(), NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, { resolve: (v: unknown) => void; reject: (e: Error) => void }>()
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error(`${entry.pathname} ended`))
  })
  child.on('message', (message) => settle(message as Reply))
  const settle = ({ id, value, error }: Reply) => {
    const request = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) request?.resolve(value)
    else request?.reject(new Error(error))
  }
  const stop = () => end(child, exited)
  running.set(stop, options.untilEnd === true)
  child.once('exit', () => running.delete(stop))
  let lastId = 0
  return {
    pid: child.pid ?? 0,
    run: (name, input) =>
      new Promise((resolve, reject) => {
        lastId += 1
        waiting.set(lastId, { resolve, reject })
        child.send({ id: lastId, command: name, input }, (error) => error && reject(error))
      }),
    [Symbol.asyncDispose]: stop,
  }
}

async function end(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await exited
}
