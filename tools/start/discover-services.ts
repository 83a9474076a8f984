import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { badManifest } from './messages.ts'
import { orderServices } from './order-services.ts'
import { parseServiceField, type ServiceSpec } from './service-spec.ts'

/** Every workspace whose package.json has a `melmastoon.service` field. */
export function declaredServices(root: string): ServiceSpec[] {
  return workspaceFolders(root).flatMap((folder) => readService(root, folder))
}

/**
 * The declared services that run, each after those listed in `after`. A service with
 * `onlyWithoutProducts` runs only if there is no service without it.
 */
export function discoverServices(root: string): ServiceSpec[] {
  const found = declaredServices(root)
  const products = found.filter((service) => !service.onlyWithoutProducts)
  return orderServices(products.length > 0 ? products : found)
}

function workspaceFolders(root: string): string[] {
  const manifest = readManifest(root, root)
  const patterns = Array.isArray(manifest['workspaces']) ? manifest['workspaces'] : []
  return patterns
    .flatMap((pattern) => expand(root, String(pattern)))
    .filter((folder) => existsSync(join(folder, 'package.json')))
}

function expand(root: string, pattern: string): string[] {
  if (!pattern.endsWith('/*')) return [join(root, pattern)]
  const parent = join(root, pattern.slice(0, -2))
  if (!existsSync(parent)) return []
  return readdirSync(parent)
    .toSorted()
    .map((name) => join(parent, name))
}

function readService(root: string, folder: string): ServiceSpec[] {
  const field = readManifest(root, folder)['melmastoon']
  if (typeof field !== 'object' || field === null || !('service' in field)) return []
  const file = relative(root, join(folder, 'package.json'))
  return [parseServiceField(field.service, { file, folder })]
}

function readManifest(root: string, folder: string): Record<string, unknown> {
  const path = join(folder, 'package.json')
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof parsed === 'object' && parsed !== null) return { ...parsed }
  } catch {}
  throw badManifest(relative(root, path), 'cannot be read as JSON.')
}
