import { fileURLToPath } from 'node:url'
import type { LocalProductOptions } from './local-product.ts'
import { StartError } from './messages.ts'

type Command = (words: readonly string[], options: LocalProductOptions) => Promise<number>

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Passes the arguments after `npm run <name> --`; prints errors a user can fix without a stack. */
export async function runCommandLine(command: Command): Promise<void> {
  try {
    process.exitCode = await command(process.argv.slice(2), { root, env: process.env })
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    console.error(`✗ ${error.message}`)
    process.exitCode = 1
  }
}
