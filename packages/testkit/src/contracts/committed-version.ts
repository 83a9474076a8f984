import { execFile } from 'node:child_process'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const MAX_BYTES = 32 * 1024 * 1024

export type CommittedVersion =
  | {
      readonly kind: 'found'
      readonly text: string
      /** The text of another file in the same folder at that time; null if there was none. */
      readonly neighbour: (file: string) => Promise<string | null>
    }
  | { readonly kind: 'missing'; readonly reason: string }

/**
 * The text that the given one replaces: that of HEAD or, once the change is committed, the previous
 * one. A change is thus evaluated the same before and after its commit. Without an older text it is
 * the given one.
 */
export async function committedVersion(path: string, current: string): Promise<CommittedVersion> {
  const file = `./${basename(path)}`
  const git = async (...args: string[]) => {
    const { stdout } = await run('git', args, { cwd: dirname(path), maxBuffer: MAX_BYTES })
    return stdout
  }
  const neighbourAt = (commit: string) => (other: string) =>
    git('show', `${commit}:./${other}`).catch(() => null)
  const log = await git('log', '-n', '2', '--format=%H', '--', file).catch(() => null)
  if (log === null) return { kind: 'missing', reason: 'there is no git history here' }
  const commits = log.split('\n').filter((line) => line !== '')
  if (commits.length === 0) return { kind: 'missing', reason: 'it was never committed' }
  for (const commit of commits) {
    const text = await git('show', `${commit}:${file}`).catch(() => current)
    if (text !== current) return { kind: 'found', text, neighbour: neighbourAt(commit) }
  }
  return { kind: 'found', text: current, neighbour: neighbourAt('HEAD') }
}
