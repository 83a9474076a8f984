import { describe, expect, it } from 'vitest'
import type { ServiceSpec } from '../start/service-spec.ts'
import { chooseOutboxes } from './choose-outbox.ts'

function service(name: string): ServiceSpec {
  const rest = { folder: '/', entry: '/main.ts', port: 1, schedules: false, after: [], env: {} }
  return { name, ...rest, try: [], onlyWithoutProducts: false }
}

const [guest, staff] = [service('guest'), service('staff')]

describe('chooseOutboxes', () => {
  it('chooses the named service, or the only one', () => {
    const chosen = { service: staff, words: ['replay', 'evt_1'] }
    expect(chooseOutboxes(['staff', 'replay', 'evt_1'], [guest, staff])).toEqual([chosen])
    expect(chooseOutboxes(['replay', 'evt_1'], [guest])).toEqual([
      { service: guest, words: ['replay', 'evt_1'] },
    ])
  })

  it('reads every outbox when no service is named', () => {
    const both = [{ service: guest }, { service: staff }]
    expect(chooseOutboxes(['dead'], [guest, staff])).toMatchObject(both)
    expect(chooseOutboxes(['depth'], [guest, staff])).toMatchObject(both)
  })

  it('rejects an ambiguous command, and one without any service', () => {
    expect(() => chooseOutboxes(['replay'], [guest, staff])).toThrow('one of: guest, staff')
    expect(() => chooseOutboxes([], [guest, staff])).toThrow('depth, dead')
    expect(() => chooseOutboxes(['dead'], [])).toThrow('There are no services')
  })
})
