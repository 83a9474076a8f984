import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { badManifest } from './messages.ts'

/** The `melmastoon.service` field of a package.json, with its paths made absolute. */
export interface ServiceSpec {
  name: string
  folder: string
  /** The program: serves without arguments; takes `migrate`, `jobs …` and `outbox …`. */
  entry: string
  port: number
  /** A program that runs after the migrations, before every start. */
  seed?: string
  /** Whether it runs the schedules of its jobs (JOB_SCHEDULES=on). */
  schedules: boolean
  /** Services that must be ready before this one starts. */
  after: string[]
  /** Additional variables; `{other-service.url}`, `.internal-url` and `.port` are replaced. */
  env: Record<string, string>
  try: string[]
  /** How long a start may take until the service is ready; 30 by default. */
  readySeconds?: number
  onlyWithoutProducts: boolean
}

export interface ManifestPlace {
  file: string
  folder: string
}

export function parseServiceField(field: unknown, place: ManifestPlace): ServiceSpec {
  const reader = fieldReader(field, place)
  const name = reader.text('name') ?? ''
  const port = reader.number('port') ?? 0
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    reader.reject('name', 'lower-case letters, digits and dashes')
  if (port < 1 || port > 65_535) reader.reject('port', 'a port number')
  const entry = reader.path('entry') ?? reader.reject('entry', 'the path of a program')
  const seed = reader.path('seed')
  const readySeconds = reader.number('readySeconds')
  return {
    name,
    folder: place.folder,
    entry,
    port,
    ...(seed !== undefined && { seed }),
    schedules: reader.flag('schedules'),
    after: reader.texts('after'),
    env: reader.map('env'),
    try: reader.texts('try'),
    ...(readySeconds !== undefined && { readySeconds }),
    onlyWithoutProducts: reader.flag('onlyWithoutProducts'),
  }
}

interface FieldReader {
  text(key: string): string | undefined
  number(key: string): number | undefined
  path(key: string): string | undefined
  flag(key: string): boolean
  texts(key: string): string[]
  map(key: string): Record<string, string>
  reject(key: string, expected: string): never
}

function fieldReader(field: unknown, { file, folder }: ManifestPlace): FieldReader {
  const values = new Map(Object.entries(typeof field === 'object' && field !== null ? field : {}))
  const reject: FieldReader['reject'] = (key, expected) => {
    throw badManifest(file, `melmastoon.service.${key} must be ${expected}.`)
  }
  const text = (key: string) => {
    const value: unknown = values.get(key)
    if (value === undefined) return undefined
    return typeof value === 'string' && value !== '' ? value : reject(key, 'a string')
  }
  return {
    text,
    reject,
    number: (key) => {
      const value: unknown = values.get(key)
      return typeof value === 'number' && Number.isInteger(value) ? value : undefined
    },
    path: (key) => {
      const value = text(key)
      if (value === undefined) return undefined
      const path = join(folder, value)
      return existsSync(path) ? path : reject(key, `an existing file, and ${value} does not exist`)
    },
    flag: (key) => values.get(key) === true,
    texts: (key) => {
      const value: unknown = values.get(key) ?? []
      return Array.isArray(value) ? value.map(String) : reject(key, 'an array of strings')
    },
    map: (key) => {
      const value: unknown = values.get(key) ?? {}
      if (typeof value !== 'object' || value === null) return reject(key, 'an object of strings')
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, String(item)]))
    },
  }
}
