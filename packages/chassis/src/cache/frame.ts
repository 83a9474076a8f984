import { CacheEntry, type EntryFacts, type EntryFields, type StoredForm } from './cache-entry.ts'

/**
 * One L2 entry is one Redis string:
 *   byte 0      format
 *   bytes 1–8   write id, where the lease script can compare it without reading the rest
 *   bytes 9–12  length of the header, big endian
 *   then        header (JSON), then the payload: zstd or brotli, or plain when it is small.
 */
const FORMAT = 4
const WRITE_ID_BYTES = 8
const HEADER_AT = 13

interface FrameHeader {
  s: number
  e: string
  h: Readonly<Record<string, string>>
  k: EntryFacts
  c: number
  f: number
  w: number
  x: number
  d: number
  n: number
  z: StoredForm['encoding']
}

export function encodeFrame(entry: CacheEntry): Buffer {
  const { fields, stored } = entry
  const header = Buffer.from(JSON.stringify(toHeader(fields, stored.encoding)))
  const prefix = Buffer.alloc(HEADER_AT)
  prefix[0] = FORMAT
  prefix.write(fields.writeId, 1, WRITE_ID_BYTES, 'latin1')
  prefix.writeUInt32BE(header.length, 1 + WRITE_ID_BYTES)
  return Buffer.concat([prefix, header, stored.bytes])
}

/** Null for anything that is not a whole frame of this format: a reader treats it as a miss. */
export function decodeFrame(bytes: Buffer): CacheEntry | null {
  if (bytes.length < HEADER_AT || bytes[0] !== FORMAT) return null
  const payloadAt = HEADER_AT + bytes.readUInt32BE(1 + WRITE_ID_BYTES)
  if (payloadAt > bytes.length) return null
  const header = parseHeader(bytes.toString('utf8', HEADER_AT, payloadAt))
  if (header === null) return null
  // A copy: the reply may be a slice of a larger receive buffer that L1 would otherwise retain.
  const payload = Buffer.allocUnsafeSlow(bytes.length - payloadAt)
  bytes.copy(payload, 0, payloadAt)
  if (header.z === 'id' && payload.length !== header.n) return null
  const fields = fromHeader(header, frameWriteId(bytes))
  return new CacheEntry(fields, { [FORMS[header.z]]: payload })
}

export function frameWriteId(bytes: Buffer): string {
  return bytes.toString('latin1', 1, 1 + WRITE_ID_BYTES)
}

const FORMS = { zstd: 'zstd', br: 'brotli', id: 'body' } as const

function toHeader(fields: EntryFields, encoding: StoredForm['encoding']): FrameHeader {
  return {
    s: fields.status,
    e: fields.etag,
    h: fields.headers,
    k: fields.facts,
    c: fields.createdAtMs,
    f: fields.softExpiryMs,
    w: fields.staleUntilMs,
    x: fields.hardExpiryMs,
    d: fields.loadMs,
    n: fields.rawSize,
    z: encoding,
  }
}

function fromHeader(header: FrameHeader, writeId: string): EntryFields {
  return {
    writeId,
    status: header.s,
    etag: header.e,
    headers: header.h,
    facts: header.k,
    createdAtMs: header.c,
    softExpiryMs: header.f,
    staleUntilMs: header.w,
    hardExpiryMs: header.x,
    loadMs: header.d,
    rawSize: header.n,
  }
}

function parseHeader(text: string): FrameHeader | null {
  try {
    const value: unknown = JSON.parse(text)
    return isHeader(value) ? value : null
  } catch {
    return null
  }
}

function isHeader(value: unknown): value is FrameHeader {
  if (typeof value !== 'object' || value === null) return false
  const record = value as Record<string, unknown>
  const numbers = ['s', 'c', 'f', 'w', 'x', 'd', 'n'].every((name) => Number.isFinite(record[name]))
  const encoding = typeof record['z'] === 'string' && Object.hasOwn(FORMS, record['z'])
  const tag = typeof record['e'] === 'string'
  return numbers && encoding && tag && isStringRecord(record['h']) && isFacts(record['k'])
}

function isStringRecord(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).every((item) => typeof item === 'string')
}

function isFacts(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).every((fact) => fact === null || typeof fact !== 'object')
}
