import { parseIsoDate } from '@melmastoon/domain'
import { expect, it } from 'vitest'
import { hoursBefore, localInstant } from './local-time.ts'

it.each([
  ['Asia/Kabul', '2026-11-20', '14:00', '2026-11-20T09:30:00.000Z'],
  ['Asia/Kathmandu', '2026-11-20', '00:00', '2026-11-19T18:15:00.000Z'],
  ['UTC', '2026-11-20', '23:59', '2026-11-20T23:59:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-20', '12:00', '2026-11-19T22:00:00.000Z'],
  ['America/St_Johns', '2026-07-01', '12:00', '2026-07-01T14:30:00.000Z'],
  ['Europe/Berlin', '2026-03-29', '14:00', '2026-03-29T12:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '14:00', '2026-10-25T13:00:00.000Z'],
  // 02:30 does not exist on the first day and occurs twice on the second.
  ['Europe/Berlin', '2026-03-29', '02:30', '2026-03-29T01:30:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T00:30:00.000Z'],
])('T9 %s: %s %s is %s', (timeZone, date, time, instant) => {
  expect(localInstant(parseIsoDate(date), time, timeZone)).toBe(instant)
})

it('T9 counts hours, not local times, before a deadline', () => {
  const noon = localInstant(parseIsoDate('2026-03-29'), '12:00', 'Europe/Berlin')
  expect(hoursBefore(noon, 24)).toBe('2026-03-28T10:00:00.000Z')
})
