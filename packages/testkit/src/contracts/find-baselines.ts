import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { EVENTS_FILE, infoOf, OPENAPI_FILE } from './render-documents.ts'

const run = promisify(execFile)
const MAX_BYTES = 32 * 1024 * 1024

/** The documents of one commit. */
export interface Baseline {
  readonly openApi: string
  /** Null if the commit has no such file. */
  readonly events: string | null
}

export type Baselines =
  | { readonly kind: 'found'; readonly baselines: readonly Baseline[] }
  | { readonly kind: 'missing'; readonly reason: string }

/**
 * What a document of this version must be compatible with: the commit that introduced the version,
 * and the last one of the version before. What was added since is not released: it may change until
 * the next version. A version that is not committed yet is compared with HEAD.
 */
export async function findBaselines(folder: string, version: string): Promise<Baselines> {
  const history = gitHistory(folder)
  const newest = await history.changes('-n', '1')
  if (newest === null) return { kind: 'missing', reason: 'there is no git history here' }
  if (newest.length === 0) return { kind: 'missing', reason: 'it was never committed' }
  const head = await history.read('HEAD')
  if (head === null) return { kind: 'missing', reason: 'the last commit does not contain it' }
  if (infoOf(head.openApi).version !== version) return { kind: 'found', baselines: [head] }
  return { kind: 'found', baselines: await history.introduction(version) }
}

function gitHistory(folder: string) {
  const git = async (...args: string[]): Promise<string | null> => {
    const options = { cwd: folder, maxBuffer: MAX_BYTES }
    return await run('git', args, options).then(
      ({ stdout }) => stdout,
      () => null,
    )
  }

  async function read(commit: string): Promise<Baseline | null> {
    const openApi = await git('show', `${commit}:./${OPENAPI_FILE}`)
    if (openApi === null) return null
    return { openApi, events: await git('show', `${commit}:./${EVENTS_FILE}`) }
  }

  /** The commits that changed the API, newest first; null without a repository. */
  async function changes(...options: string[]): Promise<string[] | null> {
    const log = await git('log', '--format=%H', ...options, '--', `./${OPENAPI_FILE}`)
    return log === null ? null : log.split('\n').filter((line) => line !== '')
  }

  async function introduction(version: string): Promise<Baseline[]> {
    const candidates = (await changes('-G"version": *"')) ?? []
    for (const commit of candidates) {
      const [at, before] = [await read(commit), await read(`${commit}^`)]
      if (at === null || infoOf(at.openApi).version !== version) continue
      if (before === null) return [at]
      if (infoOf(before.openApi).version !== version) return [at, before]
    }
    throw new TypeError(`no commit introduces version ${version} of ${folder}`)
  }

  return { read, changes, introduction }
}
