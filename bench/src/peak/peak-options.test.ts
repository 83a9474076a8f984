import { describe, expect, it } from 'vitest'
import { parsePeakOptions } from './peak-options.ts'

describe('parsePeakOptions', () => {
  it('has a quick form by default and a full one', () => {
    expect(parsePeakOptions([])).toEqual({
      rate: 300,
      warmSeconds: 20,
      seconds: 60,
      streams: 200,
      devices: 300,
      hotels: 12,
      runs: 1,
      control: null,
    })
    expect(parsePeakOptions(['--full'])).toMatchObject({
      warmSeconds: 120,
      seconds: 600,
      streams: 5_000,
      devices: 5_000,
      hotels: 200,
    })
  })

  it('rejects what it does not understand', () => {
    expect(() => parsePeakOptions(['--seconds', 'many'])).toThrow(/whole number/)
    expect(() => parsePeakOptions(['--control', 'disk'])).toThrow(/pool, redis/)
    expect(() => parsePeakOptions(['--what'])).toThrow(TypeError)
  })
})
