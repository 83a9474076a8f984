import { describe, expect, it } from 'vitest'
import type { ServiceSpec } from '../start/service-spec.ts'
import { chooseOutbox } from './choose-outbox.ts'

function service(name: string, outbox?: string): ServiceSpec {
  const rest = { folder: '/', entry: '/main.ts', port: 1, schedules: false, after: [], env: {} }
  const spec = { name, ...rest, try: [], onlyWithoutProducts: false }
  return outbox === undefined ? spec : { ...spec, outbox }
}

const [guest, staff, sandbox] = [service('guest', 'g'), service('staff', 's'), service('sandbox')]

describe('chooseOutbox', () => {
  it('takes the service that is named, or the only one', () => {
    const chosen = { service: staff, program: 's', words: ['replay', 'evt_1'] }
    expect(chooseOutbox(['staff', 'replay', 'evt_1'], [guest, staff])).toEqual(chosen)
    expect(chooseOutbox(['dead'], [sandbox, guest])).toMatchObject({
      service: guest,
      words: ['dead'],
    })
  })

  it('refuses where there is a choice, and where there is none', () => {
    expect(() => chooseOutbox(['dead'], [guest, staff])).toThrow('one of: guest, staff')
    expect(() => chooseOutbox(['dead'], [sandbox])).toThrow('No service declares an outbox')
  })
})
