import { isUniqueViolation, type Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, problem } from '@melmastoon/domain'
import { themePublished } from '@melmastoon/platform-events'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { ThemeVersion } from '@melmastoon/upstream-contracts/theme'
import type { CallOf } from '../../contract-handlers.ts'
import type { ModuleHost } from '../../module.ts'
import { type ThemeOperations, toThemeVersion } from './theme.ts'
import { archivePublished, findVersion, markPublished } from './theme-sql.ts'

type Operation = ThemeOperations['publishVersion']

/**
 * Each failed attempt means that a concurrent one succeeded; after this many the caller gets an
 * error.
 */
const ATTEMPTS_MAX = 10

/**
 * Publications of a tenant, and their events, are serialized: of two concurrent ones, the second
 * waits at the index of published versions until the first commits, and then retries.
 */
export async function publishVersion(
  host: ModuleHost,
  { params }: InputOf<Operation>,
  call: CallOf<Operation>,
): Promise<ThemeVersion> {
  if (params.tenantId !== call.tenantId) throw problem('MELMASTOON.THEME.VERSION_NOT_FOUND')
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await host.db.transaction((tx) => publish(tx, { host, call, version: params.version }))
    } catch (error) {
      const isRace = isUniqueViolation(error, 'ux_theme_version_published')
      if (!isRace || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

interface Publication {
  readonly host: ModuleHost
  readonly call: CallOf<Operation>
  readonly version: number
}

async function publish(tx: Tx, { host, call, version }: Publication): Promise<ThemeVersion> {
  const tenant = idToUuid(call.tenantId)
  const { publicUrl } = host.config
  const [archived] = await tx.query(archivePublished(tenant, version))
  const [row] = await tx.query(markPublished(tenant, version))
  if (row === undefined) {
    const [present] = await tx.query(findVersion(tenant, version))
    if (present === undefined) throw problem('MELMASTOON.THEME.VERSION_NOT_FOUND')
    return await call.finish(tx, toThemeVersion(present, publicUrl))
  }
  const published = toThemeVersion(row, publicUrl)
  const previousVersion = archived?.version ?? null
  const payload = { ...announced(published), previousVersion }
  await appendEvents(tx, [host.registry.build(themePublished.subject, payload, call.cause)])
  return await call.finish(tx, published)
}

function announced({ tenantId, themeId, version, publishedAt }: ThemeVersion) {
  if (publishedAt === undefined) throw new TypeError('a published version has a publication time')
  return { tenantId, themeId, themeVersion: version, publishedAt }
}
