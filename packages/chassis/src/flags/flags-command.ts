import type { TSchema } from 'typebox'
import type { Redis } from '../redis/index.ts'
import { flagsChecker } from './flags.ts'
import { DocumentRejected } from './polled-document.ts'

/** One JSON document with flags of a service. */
export interface FlagDocument {
  readonly key: string
  readonly schema: TSchema
  readonly defaults: object
}

export interface FlagsCommandOptions {
  readonly documents: readonly FlagDocument[]
  readonly redis: Pick<Redis, 'get' | 'set'>
  readonly print?: (line: string) => void
}

const USAGE = 'get | set <name> <json> | unset <name>'
const EXIT_USAGE = 2

/**
 * The command line of a service's flags (P15). `set` merges objects member by member, where null
 * removes a member (RFC 7396), and stores nothing that the service would reject. Resolves to the
 * exit code.
 */
export async function runFlagsCommand(
  words: readonly string[],
  { documents, redis, print = (line) => process.stdout.write(`${line}\n`) }: FlagsCommandOptions,
): Promise<number> {
  const [verb, name = '', text, ...more] = words
  const document = documents.find(({ schema }) => Object.hasOwn(propertiesOf(schema), name))
  const value = verb === 'set' ? parsed(text) : null
  const isGet = verb === 'get' && words.length === 1
  const isUnset = verb === 'unset' && text === undefined
  const isSet = verb === 'set' && value !== undefined && more.length === 0
  if (!isGet && !isUnset && !isSet) return usage(print)
  if (isGet) return await printAll({ documents, redis, print })
  if (document === undefined) return unknownFlag(documents, name, print)
  return await change({ redis, print }, document, { [name]: value })
}

type Print = (line: string) => void

function usage(print: Print): number {
  print(USAGE)
  return EXIT_USAGE
}

function unknownFlag(documents: readonly FlagDocument[], name: string, print: Print): number {
  const names = documents.flatMap(({ schema }) => Object.keys(propertiesOf(schema)))
  print(`There is no flag ${name}. Flags: ${names.join(', ') || 'none'}.`)
  return EXIT_USAGE
}

function propertiesOf(schema: TSchema): object {
  return 'properties' in schema && isObject(schema.properties) ? schema.properties : {}
}

async function printAll({
  documents,
  redis,
  print,
}: Required<FlagsCommandOptions>): Promise<number> {
  for (const { key, defaults } of documents) {
    const stored = await readStored(redis, key)
    print(`${key} ${JSON.stringify({ ...defaults, ...stored })}`)
  }
  return 0
}

async function change(
  { redis, print }: Required<Omit<FlagsCommandOptions, 'documents'>>,
  { key, schema, defaults }: FlagDocument,
  patch: object,
): Promise<number> {
  const after = merged(await readStored(redis, key), patch) as object
  try {
    flagsChecker(schema)({ ...defaults, ...after })
  } catch (error) {
    if (!(error instanceof DocumentRejected)) throw error
    print(`The value is not valid at ${error.message || '/'}; nothing was changed.`)
    return 1
  }
  await redis.set(key, JSON.stringify(after))
  print(`${key} ${JSON.stringify({ ...defaults, ...after })}`)
  print('It takes effect within 30 seconds.')
  return 0
}

async function readStored(redis: Pick<Redis, 'get'>, key: string): Promise<object> {
  const stored = parsed((await redis.get(key)) ?? '{}')
  return isObject(stored) ? stored : {}
}

/** Undefined: it is not JSON. */
function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** JSON Merge Patch (RFC 7396). */
function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const members = new Map<string, unknown>(Object.entries(isObject(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name)
    else members.set(name, merged(members.get(name), value))
  }
  return Object.fromEntries(members)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
