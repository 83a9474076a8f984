import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EventParser, type ParsedEvent } from './event-parser.ts'

interface Parsed {
  readonly events: ParsedEvent[]
  readonly retries: number[]
}

function parse(pieces: readonly string[]): Parsed {
  const result: Parsed = { events: [], retries: [] }
  const parser = new EventParser({
    onEvent: (event) => result.events.push(event),
    onRetry: (retryMs) => result.retries.push(retryMs),
  })
  for (const piece of pieces) parser.feed(piece)
  return result
}

function parseByReference(text: string): Parsed {
  const result: Parsed = { events: [], retries: [] }
  const parser = createParser({
    onEvent: ({ event = 'message', id, data }) => result.events.push({ event, id, data }),
    onRetry: (retryMs) => result.retries.push(retryMs),
  })
  parser.feed(text)
  return result
}

const line = fc.oneof(
  fc.constantFrom('', 'data', 'data:', 'id', ': comment', 'retry: 5', 'retry: 5x', 'unknown: 1'),
  fc.tuple(fc.constantFrom('data', 'event', 'id', 'retry'), fc.string()).map(([name, value]) => {
    return `${name}: ${value.replaceAll(/[\r\n]/g, '')}`
  }),
)
const lineEnd = fc.constantFrom('\n', '\r', '\r\n')
const stream = fc
  .array(fc.tuple(line, lineEnd), { maxLength: 30 })
  .map((lines) => `${lines.flat().join('')}\n\n`)

it('reads what another parser reads, however the text is divided', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(200)), (text, cuts) => {
      const at = [0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length].toSorted(
        (a, b) => a - b,
      )
      const pieces = at.slice(1).map((end, index) => text.slice(at[index], end))
      expect(parse(pieces)).toEqual(parseByReference(text))
    }),
    { numRuns: 1_000 },
  )
})

it('ignores a byte order mark, events without data and ids with a null character', () => {
  const text = '\uFEFFdata: 1\n\nevent: x\nid: 7\n\nid: a\0b\ndata: 2\n\n'
  expect(parse(text.split('')).events).toEqual([
    { event: 'message', id: undefined, data: '1' },
    { event: 'message', id: undefined, data: '2' },
  ])
})

it('does not return an event whose end has not arrived', () => {
  expect(parse(['id: 1\ndata: 1\n']).events).toEqual([])
})
