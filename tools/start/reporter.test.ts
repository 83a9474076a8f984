import { describe, expect, it } from 'vitest'
import { createReporter, stepLine } from './reporter.ts'

function screen(isTTY: boolean) {
  const written: string[] = []
  return { isTTY, written, write: (text: string) => written.push(text) }
}

describe('createReporter', () => {
  it('aligns the times of the steps', () => {
    const short = stepLine('✓', 'redis', 400)
    const long = stepLine('✓', 'postgres on 127.0.0.1:54320', 12_345)
    expect(short).toHaveLength(long.length)
    expect(long).toMatch(/^✓ postgres on 127\.0\.0\.1:54320 +12\.3 s$/)
  })

  it('writes plain lines without a terminal', async () => {
    const plain = screen(false)
    const reporter = createReporter(plain, {})
    await reporter.step(
      'postgres',
      () => Promise.resolve(5),
      (port) => `postgres on ${port}`,
    )
    reporter.warn(reporter.bold('careful'))
    expect(plain.written.join('')).toMatch(/^✓ postgres on 5 +0\.0 s\n! careful\n$/)
  })

  it('marks a failed step and rethrows its error', async () => {
    const plain = screen(false)
    const failing = createReporter(plain, {}).step('redis', () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(plain.written.join('')).toMatch(/^✗ redis +0\.0 s\n$/)
  })

  it('shows the current step on a terminal, in colour unless disabled', async () => {
    const coloured = screen(true)
    await createReporter(coloured, {}).step('redis', () => Promise.resolve())
    expect(coloured.written[0]).toContain('… redis')
    expect(coloured.written[1]).toContain('\u001b[32m✓')
    const grey = screen(true)
    await createReporter(grey, { NO_COLOR: '1' }).step('redis', () => Promise.resolve())
    expect(grey.written.join('')).not.toContain('\u001b[32m')
  })
})
