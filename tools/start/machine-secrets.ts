import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Random secrets, generated once per machine and stored with its data, outside the repository. */
export interface MachineSecrets {
  get(name: string): string
}

export function openMachineSecrets(dataFolder: string): MachineSecrets {
  const file = join(dataFolder, 'secrets.json')
  const known = readSecrets(file)
  return {
    get(name) {
      const existing = known.get(name)
      if (existing !== undefined) return existing
      const made = randomBytes(32).toString('base64url')
      known.set(name, made)
      mkdirSync(dataFolder, { recursive: true })
      writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(known)), { mode: 0o600 })
      renameSync(`${file}.new`, file)
      return made
    },
  }
}

function readSecrets(file: string): Map<string, string> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map()
    throw error
  }
  const parsed: unknown = JSON.parse(text)
  const entries = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : []
  return new Map(entries.map(([name, value]) => [name, String(value)]))
}
