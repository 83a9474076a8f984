import { it } from 'vitest'
import { expectHistoriesToHold, TIME_LIMIT_MS } from './histories/long-form.ts'

it(
  'F1-F12 hold in random histories, part 2 of the long form',
  () => expectHistoriesToHold(2),
  TIME_LIMIT_MS + 60_000,
)
