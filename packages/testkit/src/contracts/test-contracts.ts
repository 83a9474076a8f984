import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ServiceContracts } from '@melmastoon/chassis/service'
import { describe, expect, it } from 'vitest'
import { expectContractsUnchanged, expectNothingBroken } from './expect-contracts.ts'
import { expectSharedTables } from './expect-shared-tables.ts'
import { describeProgram } from './render-documents.ts'

export interface ContractsUnderTest {
  readonly service: Parameters<typeof expectSharedTables>[0]
  readonly contracts: ServiceContracts
  /** The module that exports `service`. */
  readonly module: URL
  /** The folder with the committed files. */
  readonly committed: URL
}

/** How long the program that generates the documents may run, on a busy machine. */
const PROGRAM_MS = 50_000

/** The tests of contracts that all services have. */
export function testContracts(tested: ContractsUnderTest): void {
  const { service, contracts, module, committed } = tested

  describe('the contracts of the service', () => {
    it('are committed as the code generates them', () =>
      expectContractsUnchanged(contracts, committed))

    it('D28 have the shared tables of every service', () => expectSharedTables(service))

    it('are compatible with the last version', async (ctx) => {
      const notCompared = await expectNothingBroken(contracts, committed)
      if (notCompared.length > 0) ctx.skip(notCompared.join('; '))
    })

    it('are generated without any server, by a process that then exits', {
      timeout: PROGRAM_MS + 10_000,
    }, async () => {
      const args = ['--input-type=module', '--eval', describeProgram(module)]
      const ended = promisify(execFile)(process.execPath, args, { timeout: PROGRAM_MS })
      await expect(ended).resolves.toMatchObject({ stderr: '' })
    })
  })
}
