import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryFolder extends Disposable {
  readonly path: string
}

/**
 * A folder that is deleted with its test. Other users may read it by default: servers switch to an
 * unprivileged user when the tests run as root.
 */
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
