import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface RepositoryFile {
  path: string
  text: string
  lines: string[]
}

/** The files that git tracks or would track, without generated and binary ones. */
export function readRepository(root: string): RepositoryFile[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  return listed
    .toString()
    .split('\n')
    .filter((path) => path !== '' && !IGNORED.test(path) && isFile(join(root, path)))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, lines: text.split('\n') }
    })
}

const IGNORED = /(package-lock\.json|\/contracts\/openapi\.d\.ts|\.(png|svg|ico|woff2))$/

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

export const isTypeScript = (path: string) => /\.(ts|mts|tsx)$/.test(path)
export const isTest = (path: string) => /(\.test\.ts$|\/tests\/)/.test(path)
