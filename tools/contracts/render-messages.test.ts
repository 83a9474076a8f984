import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MESSAGES_DOCUMENT, renderMessages } from './render-messages.ts'

it('C21 docs/messages.md has the English text of every message', () => {
  const document = new URL(`../../${MESSAGES_DOCUMENT}`, import.meta.url)
  expect(readFileSync(document, 'utf8')).toBe(renderMessages())
})
