import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const MAX_BYTES = 32 * 1024 * 1024

export type CommittedVersion =
  | { readonly text: string; readonly commit: string }
  | { readonly missing: string }

/**
 * The last committed text of a file that differs from the given one: before a commit that is HEAD's,
 * after it the one before. So a change is compared with what it replaces, committed or not.
 */
export async function committedVersion(path: string, current: string): Promise<CommittedVersion> {
  const git = async (...args: string[]) => {
    const { stdout } = await run('git', args, { cwd: dirname(path), maxBuffer: MAX_BYTES })
    return stdout
  }
  try {
    const name = `./${path.slice(dirname(path).length + 1)}`
    const log = await git('log', '-n', '2', '--format=%H', '--', name)
    for (const commit of log.split('\n').filter((line) => line !== '')) {
      const text = await git('show', `${commit}:${name}`).catch(() => current)
      if (text !== current) return { text, commit }
    }
    return { missing: 'git knows no other version of it' }
  } catch {
    return { missing: 'there is no git history here' }
  }
}
