import { createHmac, timingSafeEqual } from 'node:crypto'
import { problem } from '@melmastoon/domain'
import type { KeyRing, RingKey } from '@melmastoon/security'

/** The last row of a page. */
export interface Position {
  readonly id: string
  readonly atMs: number
}

const FORM = /^(\d{13})\.([0-9a-f-]{36})\.([A-Za-z0-9_-]{22})$/

/** `binding` is what the cursor is valid for: tenant, operator, scope. */
export function sealCursor(keys: KeyRing, binding: string, { id, atMs }: Position): string {
  const text = `${atMs}.${id}`
  return `${text}.${signature(keys.active, binding, text)}`
}

/** @throws Problem CURSOR_INVALID also for the cursor of another operator or query. */
export function openCursor(keys: KeyRing, binding: string, cursor: string): Position {
  const [, at = '', id = '', given = ''] = FORM.exec(cursor) ?? []
  const matches = (key: RingKey) => {
    const expected = Buffer.from(signature(key, binding, `${at}.${id}`))
    const actual = Buffer.from(given)
    return expected.length === actual.length && timingSafeEqual(expected, actual)
  }
  if (!keys.verifying.some(matches)) throw problem('MELMASTOON.BFF.BACKOFFICE.CURSOR_INVALID')
  return { id, atMs: Number(at) }
}

function signature({ key }: RingKey, binding: string, text: string): string {
  const signed = createHmac('sha256', key).update(`activity\n${binding}\n${text}`)
  return signed.digest('base64url').slice(0, 22)
}
