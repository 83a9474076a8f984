/** The clock error of a program started with `shift-clock.ts`. */
export const SHIFT_MS = 600_000
