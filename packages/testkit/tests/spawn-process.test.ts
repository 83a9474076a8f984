import { spawnProcess } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'

const entry = new URL('./fixtures/greeter.ts', import.meta.url)

describe('spawnProcess', () => {
  it('waits for a past or future line, and reports the exit', async () => {
    await using greeter = spawnProcess(entry, { env: { GREETING: 'salaam' } })
    expect(await greeter.waitForLine(/^ready \d+$/)).toBe(`ready ${greeter.pid}`)
    expect(await greeter.waitForLine('salaam')).toBe('salaam')
    expect(await greeter.kill('SIGTERM')).toEqual({ code: 7, signal: null })
  })

  it('can be killed as by a crash', async () => {
    const greeter = spawnProcess(entry)
    await greeter.waitForLine('ready')
    expect(await greeter.kill()).toEqual({ code: null, signal: 'SIGKILL' })
  })

  it('rejects when the process ends without the line, and after the timeout', async () => {
    await using greeter = spawnProcess(entry, { args: ['--fail'] })
    await expect(greeter.waitForLine('never')).rejects.toThrow(/the process ended/)
    expect((await greeter.exited).code).toBe(1)
    await using patient = spawnProcess(entry)
    await patient.waitForLine('ready')
    await expect(patient.waitForLine('never', { timeoutMs: 20 })).rejects.toThrow(/20 ms/)
  })
})
