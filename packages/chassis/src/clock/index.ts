export { type Clock, systemClock } from './clock.ts'
export {
  createDeadline,
  type Deadline,
  type DeadlineOptions,
  shareOf,
  type TimeLimit,
} from './deadline.ts'
export { pause } from './pause.ts'
export { everyTick } from './ticker.ts'
