import { SHIFT_MS } from './clock-shift.ts'

/** Preloaded into a program: shifts its clock by ten minutes. Never imported. */
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
