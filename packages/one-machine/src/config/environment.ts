import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..')

/** The folder for all local data: `.melmastoon`, or `MELMASTOON_DATA`. */
export function dataRoot(): string {
  return resolve(process.env['MELMASTOON_DATA'] || join(repositoryRoot, '.melmastoon'))
}

/**
 * Debian installs servers in sbin folders, which are often missing from an ordinary user's PATH.
 */
export function searchFolders(): string[] {
  const fromPath = (process.env['PATH'] ?? '').split(':').filter((folder) => folder !== '')
  return [...new Set([...fromPath, '/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin'])]
}

/** Only what a child needs: a `PGDATA` or `PGPORT` of the caller must not reach it. */
export function serverEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  return { PATH: searchFolders().join(':'), LC_ALL: 'C', TZ: 'UTC', ...extra }
}

/** apt-get needs the caller's proxy settings; its output must be English to be parsed. */
export function packageToolEnvironment(): Record<string, string> {
  const environment = serverEnvironment({ DEBIAN_FRONTEND: 'noninteractive' })
  for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'no_proxy']) {
    const value = process.env[name]
    if (value !== undefined) environment[name] = value
  }
  return environment
}
