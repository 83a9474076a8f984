import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { declaredServices, discoverServices } from './discover-services.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mel-discover-'))
  writeFileSync(join(root, 'package.json'), '{"workspaces":["packages/*","services/*","tools"]}')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function addWorkspace(path: string, manifest: unknown): void {
  mkdirSync(join(root, path, 'src'), { recursive: true })
  writeFileSync(join(root, path, 'src/main.ts'), '')
  writeFileSync(join(root, path, 'package.json'), JSON.stringify(manifest))
}

function addService(path: string, service: Record<string, unknown>): void {
  addWorkspace(path, { melmastoon: { service: { entry: 'src/main.ts', ...service } } })
}

const names = () => discoverServices(root).map((service) => service.name)

describe('discoverServices', () => {
  it('finds the workspaces that declare a service, and only those', () => {
    addWorkspace('packages/domain', { name: 'domain' })
    addWorkspace('tools', {})
    addService('services/guest', { name: 'guest', port: 8082, schedules: true })
    mkdirSync(join(root, 'services/not-a-package'))
    expect(discoverServices(root)).toEqual([
      {
        name: 'guest',
        folder: join(root, 'services/guest'),
        entry: join(root, 'services/guest/src/main.ts'),
        port: 8082,
        schedules: true,
        after: [],
        env: {},
        try: [],
        onlyWithoutProducts: false,
      },
    ])
  })

  it('starts the example service only while there is no product', () => {
    addService('packages/testkit', { name: 'example', port: 8080, onlyWithoutProducts: true })
    expect(names()).toEqual(['example'])
    addService('services/guest', { name: 'guest', port: 8082 })
    expect(names()).toEqual(['guest'])
    expect(declaredServices(root).map((service) => service.name)).toEqual(['example', 'guest'])
  })

  it('finds the optional seed program', () => {
    addService('services/guest', { name: 'guest', port: 8082, seed: 'src/main.ts' })
    const [guest] = discoverServices(root)
    expect(guest?.seed).toBe(join(root, 'services/guest/src/main.ts'))
  })

  it('orders a service after those it depends on', () => {
    addService('services/guest', { name: 'guest', port: 8082, after: ['sandbox'] })
    addService('services/sandbox', { name: 'sandbox', port: 8090 })
    expect(names()).toEqual(['sandbox', 'guest'])
  })

  it.each([
    [{ name: 'No Name', port: 1 }, 'services/a/package.json: melmastoon.service.name'],
    [{ name: 'a', port: 'x' }, 'melmastoon.service.port'],
    [{ name: 'a', port: 1, entry: 'gone.ts' }, 'gone.ts does not exist'],
    [{ name: 'a', port: 1, seed: 'gone.ts' }, 'melmastoon.service.seed'],
    [{ name: 'a', port: 1, try: 'curl' }, 'melmastoon.service.try'],
    [{ name: 'a', port: 1, after: ['b'] }, 'waits for b, which does not exist'],
    [{ name: 'a', port: 1, after: ['a'] }, 'wait for each other: a → a'],
  ])('rejects %j', (service, message) => {
    addService('services/a', service)
    expect(() => discoverServices(root)).toThrow(message)
  })

  it('rejects two services with the same name, and a manifest that is not JSON', () => {
    addService('services/a', { name: 'a', port: 1 })
    addService('services/b', { name: 'a', port: 2 })
    expect(() => discoverServices(root)).toThrow('another service is named a')
    writeFileSync(join(root, 'services/b/package.json'), '{')
    expect(() => discoverServices(root)).toThrow('services/b/package.json: cannot be read')
  })
})
