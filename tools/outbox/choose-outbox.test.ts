import { describe, expect, it } from 'vitest'
import type { ServiceSpec } from '../start/service-spec.ts'
import { chooseOutboxes } from './choose-outbox.ts'

function service(name: string, outbox?: string): ServiceSpec {
  const rest = { folder: '/', entry: '/main.ts', port: 1, schedules: false, after: [], env: {} }
  const spec = { name, ...rest, try: [], onlyWithoutProducts: false }
  return outbox === undefined ? spec : { ...spec, outbox }
}

const [guest, staff, sandbox] = [service('guest', 'g'), service('staff', 's'), service('sandbox')]

describe('chooseOutboxes', () => {
  it('takes the service that is named, or the only one', () => {
    const chosen = { service: staff, program: 's', words: ['replay', 'evt_1'] }
    expect(chooseOutboxes(['staff', 'replay', 'evt_1'], [guest, staff])).toEqual([chosen])
    expect(chooseOutboxes(['replay', 'evt_1'], [sandbox, guest])).toMatchObject([
      { service: guest, words: ['replay', 'evt_1'] },
    ])
  })

  it('looks everywhere when no service is named', () => {
    const both = [{ service: guest }, { service: staff }]
    expect(chooseOutboxes(['dead'], [guest, sandbox, staff])).toMatchObject(both)
    expect(chooseOutboxes(['depth'], [guest, staff])).toMatchObject(both)
  })

  it('refuses where there is a choice, and where there is none', () => {
    expect(() => chooseOutboxes(['replay'], [guest, staff])).toThrow('one of: guest, staff')
    expect(() => chooseOutboxes([], [guest, staff])).toThrow('depth, dead')
    expect(() => chooseOutboxes(['dead'], [sandbox])).toThrow('No service declares an outbox')
  })
})
