import type { Reading, VendorResult } from './vendor.ts'

export type VendorCodes = Readonly<Record<VendorResult, string>>

/** A code that the table does not have is a rejection. */
export function readCode(codes: VendorCodes, code: unknown): Reading {
  const text = typeof code === 'string' || typeof code === 'number' ? String(code) : 'none'
  const results = Object.keys(codes) as VendorResult[]
  const result = results.find((known) => codes[known] === text) ?? 'vendor_refused'
  return { result, vendorCode: text.slice(0, 40) }
}
