import { expect, it } from 'vitest'
import { inlineObjects, undescribed } from './test-descriptions.ts'

const document = {
  paths: {
    '/notes': {
      get: {
        operationId: 'note.list',
        parameters: [{ name: 'limit' }, { name: 'after', description: 'The last note' }],
      },
    },
  },
  components: {
    schemas: {
      Note: {
        description: 'A note',
        properties: {
          id: {},
          text: { description: 'The text' },
          author: { $ref: '#/components/schemas/Author' },
          places: { description: 'Where', items: { properties: {} } },
        },
      },
      Author: { properties: {} },
    },
  },
}

it('schemas, properties and parameters without a description are found', () => {
  expect(undescribed(document)).toEqual(['Note.id', 'Note.author', 'Author', 'note.list limit'])
})

it('objects without a name are found', () => {
  expect(inlineObjects(document)).toEqual(['Note.places'])
})
