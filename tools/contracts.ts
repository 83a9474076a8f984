import { fileURLToPath } from 'node:url'
import { MachineError } from '@melmastoon/one-machine'
import { runContractsCommand } from './contracts/run-contracts-command.ts'
import { StartError } from './start/messages.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
try {
  await runContractsCommand(root)
} catch (error) {
  if (!(error instanceof StartError) && !(error instanceof MachineError)) throw error
  console.error(`✗ ${error.message}`)
  process.exitCode = 1
}
