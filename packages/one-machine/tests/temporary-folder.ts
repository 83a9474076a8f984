import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryFolder extends Disposable {
  readonly path: string
}

export function temporaryFolder(mode = 0o755): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'mel-test-'))
  chmodSync(path, mode)
  return {
    path,
    [Symbol.dispose]() {
      chmodSync(path, 0o755)
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** Sets environment names for as long as the returned value lives. */
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
