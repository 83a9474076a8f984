/** Sets environment variables until the returned value is disposed. */
export function withEnvironment(changes: Record<string, string>): Disposable {
  const before = Object.keys(changes).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, changes)
  return {
    [Symbol.dispose]() {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    },
  }
}

export const isRoot = process.getuid?.() === 0
