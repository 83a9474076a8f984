import { describe, expect, it } from 'vitest'
import { createSchemaDescriber } from './document-schemas.ts'

const Room = { type: 'object', properties: { board: { type: 'string' } } }

/** The text of a property whose values have texts in the message catalogue. */
function describedAs(board: string | undefined): unknown {
  const describeSchema = createSchemaDescriber({
    schemas: { Room: { description: 'A room', of: [Room] } },
    terms: board === undefined ? {} : { board },
    labels: { 'Room.board': 'labels.board' },
  })
  const room = describeSchema(Room, 'response') as {
    properties: { board: { description: string } }
  }
  return room.properties.board.description
}

describe('a property with texts in the message catalogue', () => {
  const texts = 'Texts in the message catalogue: `labels.board.<value>`'

  it.each(['The meals', 'The meals.', 'The meals. '])('continues %j with one full stop', (own) => {
    expect(describedAs(own)).toBe(`The meals. ${texts}`)
  })

  it('without a text of its own has that text only', () => {
    expect(describedAs(undefined)).toBe(texts)
  })
})
