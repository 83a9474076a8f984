import { describe, expect, it } from 'vitest'
import { parseWrk } from './http-load.ts'

const OUTPUT = `Running 2s test @ http://127.0.0.1:1/
  1 threads and 32 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.10ms  300.00us   9.00ms   90.00%
  Latency Distribution
     50%  750.00us
     75%    1.20ms
     90%    1.50ms
     99%    2.25ms
  58000 requests in 2.00s, 2.10GB read
Requests/sec:  29000.00
`

describe('parseWrk', () => {
  it('reads counts and latencies in milliseconds', () => {
    expect(parseWrk(OUTPUT)).toEqual({ requests: 58_000, p50Ms: 0.75, p99Ms: 2.25 })
  })

  it('reads seconds and minutes, which wrk pads with a space', () => {
    const slow = OUTPUT.replace('2.25ms', '1.50s ').replace('750.00us', '2.00m ')
    expect(parseWrk(slow)).toMatchObject({ p50Ms: 120_000, p99Ms: 1_500 })
  })

  it('rejects a run with failed responses', () => {
    expect(() => parseWrk(`${OUTPUT}  Non-2xx or 3xx responses: 12\n`)).toThrow(/12/)
    const errors = '  Socket errors: connect 0, read 3, write 0, timeout 0\n'
    expect(() => parseWrk(OUTPUT + errors)).toThrow(/read 3/)
  })
})
