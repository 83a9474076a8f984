import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import {
  CLIENT_FILE,
  OPENAPI_FILE,
  renderDocuments,
  SCHEMA_FILE,
} from '@melmastoon/testkit/contracts'
import { declaredServices } from '../start/discover-services.ts'
import { type ClientGenerator, openClientGenerator } from './client-generator.ts'
import { loadContracts } from './load-contracts.ts'
import { MESSAGES_DOCUMENT, renderMessages } from './render-messages.ts'
import { type ScratchPostgres, startScratchPostgres } from './scratch-postgres.ts'

interface Workshop {
  root: string
  postgres: ScratchPostgres
  generator: ClientGenerator
}

/** Writes `docs/messages.md`, and the contracts of every service next to its package.json. */
export async function runContractsCommand(root: string): Promise<void> {
  const services = declaredServices(root).map(({ folder, entry }) => ({
    folder: join(folder, 'contracts'),
    module: join(dirname(entry), 'service.ts'),
  }))
  writeIfChanged(root, join(root, MESSAGES_DOCUMENT), renderMessages())
  const generator = await openClientGenerator(root)
  await using postgres = await startScratchPostgres()
  for (const service of services) await writeContracts(service, { root, postgres, generator })
}

async function writeContracts(
  service: { folder: string; module: string },
  { root, postgres, generator }: Workshop,
): Promise<void> {
  const contracts = await loadContracts(service.module)
  mkdirSync(service.folder, { recursive: true })
  const write = (file: string, text: string) =>
    writeIfChanged(root, join(service.folder, file), text)
  for (const [file, text] of Object.entries(await renderDocuments(contracts))) write(file, text)
  write(SCHEMA_FILE, await postgres.renderSchema(contracts))
  write(CLIENT_FILE, await generator.generate(join(service.folder, OPENAPI_FILE)))
}

function writeIfChanged(root: string, path: string, text: string): void {
  const changed = readOrEmpty(path) !== text
  if (changed) writeFileSync(path, text)
  console.log(`${changed ? '✎ written  ' : '✓ unchanged'} ${relative(root, path)}`)
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
