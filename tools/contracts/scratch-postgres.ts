import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureRoles, migrate } from '@melmastoon/chassis/db'
import type { ServiceContracts } from '@melmastoon/chassis/service'
import { dataRoot, startPostgres } from '@melmastoon/one-machine'
import { dumpSchema } from '@melmastoon/testkit/schema'

export interface ScratchPostgres extends AsyncDisposable {
  renderSchema(contracts: ServiceContracts): Promise<string>
}

/** A server for this run only: its catalogue contains nothing but the migrations. */
export async function startScratchPostgres(): Promise<ScratchPostgres> {
  // Test runs remove servers of this name that a killed run left running.
  const folder = join(dataRoot(), `test-${process.pid}`)
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const server = await startPostgres({ dataDir: join(folder, 'postgres'), port: 0, settings })
  const killNow = () => process.kill(server.pid, 'SIGKILL')
  process.once('exit', killNow)
  return {
    async renderSchema(contracts) {
      const { schema } = contracts
      const migrations = await contracts.migrations()
      await ensureRoles(server.url, schema, { migrations })
      await migrate({ url: server.url, schema, migrations })
      return dumpSchema(server.url, schema)
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', killNow)
      await server.kill()
      for (const path of [folder, server.dataDir]) await rm(path, { recursive: true, force: true })
    },
  }
}
