/** How wrong the clock of a program is that was started with `shift-clock.ts`. */
export const SHIFT_MS = 600_000
