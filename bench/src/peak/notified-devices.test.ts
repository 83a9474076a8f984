import { describe, expect, it } from 'vitest'
import { NotifiedDevices } from './notified-devices.ts'

const showing = (board: string) => ({ board })

describe('notified devices', () => {
  it('read the board that they show, in the order in which they were notified', () => {
    const devices = new NotifiedDevices<ReturnType<typeof showing>>()
    const [arrivals, rooms] = [showing('/arrivals'), showing('/housekeeping')]
    devices.notify(rooms, 'housekeeping')
    devices.notify(arrivals, 'arrivals')
    expect([devices.take(), devices.take(), devices.take()]).toEqual([rooms, arrivals, undefined])
  })

  it('wait once, however many changes there are', () => {
    const devices = new NotifiedDevices<ReturnType<typeof showing>>()
    const device = showing('/arrivals')
    devices.notify(device, 'arrivals')
    devices.notify(device, 'arrivals')
    expect([devices.count, devices.take(), devices.count]).toEqual([1, device, 0])
  })

  it('do not wait for changes of other boards; today shows all of them', () => {
    const devices = new NotifiedDevices<ReturnType<typeof showing>>()
    devices.notify(showing('/arrivals'), 'housekeeping')
    devices.notify(showing('/today'), 'alerts')
    expect(devices.count).toBe(0)
    devices.notify(showing('/today'), 'maintenance')
    expect(devices.count).toBe(1)
  })
})
