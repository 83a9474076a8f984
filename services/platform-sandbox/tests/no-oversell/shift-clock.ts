import { SHIFT_MS } from './clock-shift.ts'

/** Loaded before a program: it believes it is ten minutes later than it is. Never imported. */
const realNow = Date.now
const RealDate = Date

class ShiftedDate extends RealDate {
  constructor(...parts: []) {
    if (parts.length === 0) super(realNow() + SHIFT_MS)
    else super(...parts)
  }

  static override now(): number {
    return realNow() + SHIFT_MS
  }
}

globalThis.Date = ShiftedDate as DateConstructor
