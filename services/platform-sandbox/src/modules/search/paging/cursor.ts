import { createHash } from 'node:crypto'
import { idPattern, isId, type PropertyId, problem } from '@melmastoon/domain'

/** The end position of a page. */
export interface Position {
  readonly key: number
  readonly propertyId: PropertyId
  /** The last change included in the first page: the order stays as it was then. */
  readonly seq: number
}

const CHECKSUM_BYTES = 9
const FORM = new RegExp(`^(-?\\d[\\d.e+-]{0,30}) (\\d{1,16}) (${idPattern('ppt').slice(1, -1)})$`)

/**
 * Opaque and bound to its query: the checksum covers both. It detects mistakes, not attacks; a
 * forged position reveals nothing that a query would not.
 */
export function writeCursor({ key, propertyId, seq }: Position, query: string): string {
  const payload = `${key} ${seq} ${propertyId}`
  return `${Buffer.from(payload).toString('base64url')}.${checksum(payload, query)}`
}

export function readCursor(cursor: string, query: string): Position {
  const [body = '', sum, ...rest] = cursor.split('.')
  const payload = Buffer.from(body, 'base64url').toString()
  const [, key, seq, propertyId] = FORM.exec(payload) ?? []
  if (rest.length > 0 || sum !== checksum(payload, query) || !isId('ppt', propertyId)) {
    throw problem('MELMASTOON.SEARCH.CURSOR_INVALID', {
      detail: 'The cursor is damaged or belongs to another query.',
      errors: [
        { pointer: '/cursor', code: 'invalid', detail: 'must be a cursor of the same query' },
      ],
    })
  }
  return { key: Number(key), seq: Number(seq), propertyId }
}

function checksum(payload: string, query: string): string {
  const digest = createHash('sha256').update(payload).update('\n').update(query).digest()
  return digest.subarray(0, CHECKSUM_BYTES).toString('base64url')
}
