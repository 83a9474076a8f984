import { afterAll, beforeAll } from 'vitest'
import {
  type RunningSandbox,
  sandboxEnvironment,
  startSandbox,
  type TestEnvironment,
} from './start-sandbox.ts'

interface StartedSandbox {
  readonly environment: TestEnvironment
  readonly sandbox: RunningSandbox
}

/** One sandbox for all tests of a file, from its first test to its last. */
export function useSandbox(onStart: (started: StartedSandbox) => void): void {
  let started: StartedSandbox | undefined
  beforeAll(async () => {
    const environment = await sandboxEnvironment()
    started = { environment, sandbox: await startSandbox(environment) }
    onStart(started)
  })
  afterAll(async () => {
    await started?.sandbox[Symbol.asyncDispose]()
    await started?.environment[Symbol.asyncDispose]()
  })
}
