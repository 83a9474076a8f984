export { type Clock, systemClock } from './clock.ts'
export { createDeadline, type Deadline, type DeadlineOptions } from './deadline.ts'
