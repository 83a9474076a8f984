export interface KnownNights {
  readonly firstDay: number
  readonly roomsLeft: readonly number[]
}

/**
 * Puts nights in their place and drops those before `today`. Behind the end of what was known every
 * night is wholly free.
 */
export function patchNights(
  known: KnownNights & { readonly roomsTotal: number },
  fresh: KnownNights,
  today: number,
): KnownNights {
  const firstDay = Math.max(today, Math.min(known.firstDay, fresh.firstDay))
  const endDay = Math.max(
    known.firstDay + known.roomsLeft.length,
    fresh.firstDay + fresh.roomsLeft.length,
  )
  const roomsLeft = Array.from({ length: Math.max(0, endDay - firstDay) }, (_, night) => {
    const day = firstDay + night
    return (
      fresh.roomsLeft[day - fresh.firstDay] ??
      known.roomsLeft[day - known.firstDay] ??
      known.roomsTotal
    )
  })
  return { firstDay, roomsLeft }
}
