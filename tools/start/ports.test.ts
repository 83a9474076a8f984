import { describe, expect, it } from 'vitest'
import { portVariable } from '../bootstrap/start-help.mjs'
import { assignPorts } from './ports.ts'
import type { ServiceSpec } from './service-spec.ts'

const service = (name: string, port: number): ServiceSpec => ({
  name,
  folder: '/x',
  entry: '/x/main.ts',
  port,
  schedules: false,
  after: [],
  env: {},
  try: [],
  onlyWithoutProducts: false,
})

describe('assignPorts', () => {
  it('has a variable for every service', () => {
    expect(portVariable('bff-consumer-service')).toBe('MELMASTOON_BFF_CONSUMER_SERVICE_PORT')
  })

  it('assigns the declared ports, or those of the variables', () => {
    const services = [service('guest', 8081), service('staff', 8083)]
    const ports = assignPorts(services, { MELMASTOON_STAFF_PORT: '65000' })
    expect([...ports]).toEqual([
      ['guest', { port: 8081, internalPort: 9081 }],
      ['staff', { port: 65_000, internalPort: 64_000 }],
    ])
  })

  it('rejects one port for two services, including internal ports', () => {
    const services = [service('guest', 8081), service('staff', 9081)]
    expect(() => assignPorts(services, {})).toThrow(
      'guest-internal and staff both use port 9081: change one with MELMASTOON_STAFF_PORT',
    )
    const moved = assignPorts(services, { MELMASTOON_GUEST_INTERNAL_PORT: '7000' })
    expect(moved.get('guest')?.internalPort).toBe(7000)
  })
})
