import { describe, expect, it } from 'vitest'
import { installFailed } from './messages.mjs'

const messageFor = (output: string) => installFailed(output, '/srv/melmastoon').message

describe('installFailed', () => {
  it.each([
    'npm error code ENOTFOUND',
    'npm error code EAI_AGAIN\nnpm error syscall getaddrinfo',
    'npm error code ECONNREFUSED',
  ])('reports a missing network: %s', (output) => {
    expect(messageFor(output)).toMatch(
      /^The packages are not installed yet.*connect to the network/,
    )
  })

  it.each(['npm error code EACCES', 'npm error code EROFS', 'npm error code EPERM'])(
    'reports a folder that cannot be written: %s',
    (output) => {
      expect(messageFor(output)).toMatch(/^Cannot write to \/srv\/melmastoon/)
    },
  )

  it('reports a full disk', () => {
    expect(messageFor('npm error code ENOSPC')).toContain('full')
  })

  it('shows the last lines of any other failure', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`)
    expect(messageFor(lines.join('\n'))).toContain('line 39')
    expect(messageFor(lines.join('\n'))).not.toContain('line 20\n')
  })
})
