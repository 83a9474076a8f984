import { EventEmitter } from 'node:events'
import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { type ByeReason, DeviceStream, type StreamOutput } from './device-stream.ts'
import type { LoggedEvent } from './stream-event.ts'
import { STREAM_LIMITS } from './stream-limits.ts'

/** A response whose client reads only when the test says so. */
class Output extends EventEmitter implements StreamOutput {
  text = ''
  writableLength = 0
  isStuck = false
  destroyed = false
  hasEnded = false

  write(text: string): boolean {
    this.text += text
    if (this.isStuck) this.writableLength += text.length
    return !this.isStuck
  }

  end(text: string): void {
    this.text += text
    this.hasEnded = true
  }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }

  drain(): void {
    this.isStuck = false
    this.writableLength = 0
    this.emit('drain')
  }
}

const MINUTE = 60_000

function openStream() {
  const output = new Output()
  let closed = 0
  const ref = { tenantId: newId('tnt'), deviceId: newId('dev'), sessionId: newId('bos') }
  const stream = new DeviceStream({
    ...ref,
    output,
    streamId: 'stream',
    limits: STREAM_LIMITS,
    scope: { operatorId: newId('opr'), properties: '*', roles: ['front_desk'], isLead: false },
    expiresAtMs: 15 * MINUTE,
    openedMs: 0,
    owner: 'session|stream|',
    onClose: () => void (closed += 1),
  })
  stream.hello({ epoch: 'epoch', seq: 0 })
  const at = (ms: number) => stream.check({ nowMs: ms, monotonicMs: ms })
  return { stream, output, at, closings: () => closed }
}

const event = (seq: number, size = 10): LoggedEvent => ({
  channel: 'arrivals',
  propertyId: null,
  type: 'test',
  data: { padding: 'x'.repeat(size) },
  position: { epoch: 'epoch', seq },
})

describe('a device that does not read', () => {
  it('is disconnected after 15 seconds, unless it reads in between', () => {
    const { stream, output, at, closings } = openStream()
    output.isStuck = true
    stream.deliver([event(1)])
    at(1_000)
    at(15_999)
    output.drain()
    at(17_000)
    expect(output.destroyed).toBe(false)
    output.isStuck = true
    stream.deliver([event(2)])
    at(20_000)
    at(34_999)
    expect(output.destroyed).toBe(false)
    at(35_000)
    expect([output.destroyed, closings()]).toEqual([true, 1])
  })

  it('is disconnected when more than 256 KiB are unsent, and gets no heartbeats until then', () => {
    const { stream, output } = openStream()
    output.isStuck = true
    stream.deliver([event(1, STREAM_LIMITS.bufferBytes)])
    const { text } = output
    stream.heartbeat()
    expect([output.text, output.destroyed]).toEqual([text, false])
    stream.deliver([event(2)])
    expect([output.text, output.destroyed]).toEqual([text, true])
  })

  it.each<ByeReason>(['session_ended', 'shutdown'])(
    'receives nothing that waits after %s',
    (reason) => {
      const { stream, output } = openStream()
      output.isStuck = true
      stream.deliver([event(1)])
      stream.bye(reason)
      expect([output.destroyed, output.hasEnded]).toEqual([true, false])
    },
  )

  it('is disconnected when it does not take the last event', () => {
    const { stream, output, at } = openStream()
    stream.bye('session_ended')
    at(1_000)
    expect([output.hasEnded, output.destroyed]).toEqual([true, false])
    at(16_000)
    expect(output.destroyed).toBe(true)
  })
})

describe('the position of a stream', () => {
  it('passes events of other operators, and repeats none', () => {
    const { stream, output } = openStream()
    const foreign = { ...event(2), operatorId: newId('opr') }
    expect(stream.deliver([event(1), foreign]).map(({ position }) => position.seq)).toEqual([1])
    expect(stream.position.seq).toBe(2)
    expect(stream.deliver([event(1), foreign, event(3)])).toHaveLength(1)
    expect(output.text.match(/^id: .*$/gm)).toEqual(['id: epoch.0', 'id: epoch.1', 'id: epoch.3'])
  })

  it('follows a gap in an event of its own: one that is cut off is announced again', () => {
    const { stream, output } = openStream()
    output.text = ''
    stream.gap({ epoch: 'next', seq: 7 })
    const [gap = '', hello = ''] = output.text.split('\n\n')
    expect(gap).toMatch(/^event: gap\ndata: /)
    expect(hello).toMatch(/^event: hello\nid: next\.7\n/)
  })
})
