import { createDatabase, identifier, sql, sqlStateOf } from '@melmastoon/chassis/db'
import { unreachable } from './messages.ts'

const NO_SUCH_DATABASE = '3D000'
const CREATED_MEANWHILE = '42P04'

/** Creates the database of a URL if it does not exist, and verifies that it is reachable. */
export async function ensureDatabase(url: string, variable: string): Promise<void> {
  try {
    await runOn(url, sql`select 1`)
  } catch (error) {
    if (sqlStateOf(error) !== NO_SUCH_DATABASE) throw notReachable(url, variable, error)
    await createIt(url, variable)
  }
}

async function createIt(url: string, variable: string): Promise<void> {
  const name = databaseName(url)
  const maintenance = new URL(url)
  maintenance.pathname = '/postgres'
  try {
    await runOn(maintenance.href, sql`create database ${identifier(name)}`)
  } catch (error) {
    if (sqlStateOf(error) !== CREATED_MEANWHILE) throw notReachable(url, variable, error)
  }
}

async function runOn(url: string, statement: ReturnType<typeof sql>): Promise<void> {
  await using database = createDatabase({
    url,
    poolMax: 1,
    preparedStatements: false,
    onError: () => undefined,
    applicationName: 'melmastoon-start',
  })
  await database.query(statement)
}

function databaseName(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1))
}

/** The URL may contain a password: only the host, the port and the error code are shown. */
function notReachable(url: string, variable: string, error: unknown): Error {
  const parsed = URL.parse(url)
  const address = parsed === null ? 'a URL that cannot be read' : parsed.host
  return unreachable(variable, address, sqlStateOf(error) ?? reasonOf(error))
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return cause instanceof Error ? cause.message : 'unknown'
}
