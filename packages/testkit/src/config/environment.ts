/** The environment of a spawned program; `undefined` removes a variable. */
export function programEnvironment(
  changes: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const merged = { ...process.env, ...changes }
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

export function emulatorJarFromEnvironment(): string | undefined {
  return process.env['PUBSUB_EMULATOR_JAR'] || undefined
}

export function homeFolder(): string {
  return process.env['HOME'] ?? '/'
}
