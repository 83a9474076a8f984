type Command = (input: never) => unknown

interface Request {
  readonly id: number
  readonly command: string
  readonly input: never
}

/** The worker's side: executes each command of its parent, and exits with it. */
export function serveCommands(commands: Readonly<Record<string, Command>>): void {
  process.on('disconnect', () => process.exit(0))
  process.on('message', (message) => {
    const { id, command, input } = message as Request
    const execute = async () => {
      const run = commands[command]
      if (run === undefined) throw new TypeError(`no command ${command}`)
      return { id, value: await run(input) }
    }
    execute().then(
      (reply) => process.send?.(reply),
      (error: unknown) => process.send?.({ id, error: describe(error) }),
    )
  })
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.stack ?? error.message}` : String(error)
}
