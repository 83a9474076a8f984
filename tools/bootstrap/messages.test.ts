import { describe, expect, it } from 'vitest'
import { installFailed } from './messages.mjs'

const told = (output: string) => installFailed(output, '/srv/melmastoon').message

describe('installFailed', () => {
  it.each([
    'npm error code ENOTFOUND',
    'npm error code EAI_AGAIN\nnpm error syscall getaddrinfo',
    'npm error code ECONNREFUSED',
  ])('tells a missing network: %s', (output) => {
    expect(told(output)).toMatch(/^The packages are not installed yet.*connect to the network/)
  })

  it.each(['npm error code EACCES', 'npm error code EROFS', 'npm error code EPERM'])(
    'tells a folder that cannot be written: %s',
    (output) => {
      expect(told(output)).toMatch(/^Cannot write to \/srv\/melmastoon/)
    },
  )

  it('tells a full disk', () => {
    expect(told('npm error code ENOSPC')).toContain('full')
  })

  it('shows the end of anything else', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`)
    expect(told(lines.join('\n'))).toContain('line 39')
    expect(told(lines.join('\n'))).not.toContain('line 20\n')
  })
})
