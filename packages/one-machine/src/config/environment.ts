import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..')

/** Where everything this machine keeps for us lives: `.melmastoon`, or `MELMASTOON_DATA`. */
export function dataRoot(): string {
  return resolve(process.env['MELMASTOON_DATA'] || join(repositoryRoot, '.melmastoon'))
}

/** Debian keeps servers in sbin folders that an ordinary user's PATH often lacks. */
export function searchFolders(): string[] {
  const fromPath = (process.env['PATH'] ?? '').split(':').filter((folder) => folder !== '')
  return [...new Set([...fromPath, '/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin'])]
}

/** No more than a child needs: a stray `PGDATA` or `PGPORT` of the caller must not reach it. */
export function serverEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  return { PATH: searchFolders().join(':'), LC_ALL: 'C', TZ: 'UTC', ...extra }
}

/** apt-get needs the caller's proxy settings; its words must be English to be understood. */
export function packageToolEnvironment(): Record<string, string> {
  const environment = serverEnvironment({ DEBIAN_FRONTEND: 'noninteractive' })
  for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'no_proxy']) {
    const value = process.env[name]
    if (value !== undefined) environment[name] = value
  }
  return environment
}
