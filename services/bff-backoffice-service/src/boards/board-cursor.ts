import { createHmac, type KeyObject } from 'node:crypto'
import { type IsoDate, isIsoDate, problem } from '@melmastoon/domain'
import { decodeBase64url, equalText, type KeyRing } from '@melmastoon/security'
import type { BoardKey } from './board-key.ts'

/** A position in the history of a board, or within one of its versions. */
export interface BoardPosition {
  readonly date: IsoDate
  readonly version: string
  /** The last row of the previous page; null in a cursor for changes. */
  readonly after: string | null
}

interface Binding extends Pick<BoardKey, 'tenantId' | 'propertyId' | 'board' | 'audience'> {
  /** Of the operator who received it. */
  readonly roles: string
}

const CURSOR_MAX_CHARS = 300

/**
 * Signed together with tenant, property, board, audience and roles, which are not part of the
 * text: a cursor that somebody else received is not valid.
 */
export function writeBoardCursor(ring: KeyRing, key: Binding, position: BoardPosition): string {
  const body = Buffer.from(
    JSON.stringify([position.date, position.version, position.after]),
  ).toString('base64url')
  return `${body}.${sign(ring.active.key, key, body)}`
}

/** @throws Problem CURSOR_INVALID */
export function readBoardCursor(ring: KeyRing, key: Binding, cursor: string): BoardPosition {
  const [body = '', signature = '', ...rest] = cursor.split('.')
  const isSigned = ring.verifying.some((candidate) =>
    equalText(sign(candidate.key, key, body), signature),
  )
  if (!isSigned || rest.length > 0 || cursor.length > CURSOR_MAX_CHARS) throw invalidCursor()
  return parsePosition(decodeBase64url(body)?.toString() ?? '')
}

function parsePosition(text: string): BoardPosition {
  const parts: unknown = JSON.parse(text)
  if (!Array.isArray(parts)) throw invalidCursor()
  const [date, version, after] = parts as readonly unknown[]
  if (!isIsoDate(date) || typeof version !== 'string') throw invalidCursor()
  return { date, version, after: typeof after === 'string' ? after : null }
}

export function invalidCursor() {
  return problem('MELMASTOON.BFF.BACKOFFICE.CURSOR_INVALID')
}

function sign(key: KeyObject, binding: Binding, body: string) {
  const { tenantId, propertyId, board, audience, roles } = binding
  return createHmac('sha256', key)
    .update(JSON.stringify(['board-cursor', tenantId, propertyId, board, audience, roles, body]))
    .digest('base64url')
}
