import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import {
  describeProgram,
  expectContractsUnchanged,
  expectNothingBroken,
  expectSharedTables,
} from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { service } from '../../src/service.ts'
import { contracts } from '../harness/backoffice-environment.ts'

const committed = new URL('../../contracts/', import.meta.url)

describe('the contracts of the service', () => {
  it('are committed as the code generates them', () =>
    expectContractsUnchanged(contracts, committed))

  it('D28 have the shared tables of every service', () => expectSharedTables(service))

  it('are compatible with the last version', async (ctx) => {
    const notCompared = await expectNothingBroken(contracts, committed)
    if (notCompared.length > 0) ctx.skip(notCompared.join('; '))
  })

  it('are generated without any server, by a process that then exits', async () => {
    const code = describeProgram(new URL('../../src/service.ts', import.meta.url))
    const args = ['--input-type=module', '--eval', code]
    const run = promisify(execFile)
    await expect(run(process.execPath, args, { timeout: 20_000 })).resolves.toMatchObject({
      stderr: '',
    })
  })
})
