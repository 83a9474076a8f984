export interface KnownNights {
  readonly firstDay: number
  readonly roomsLeft: readonly number[]
}

/**
 * Replaces nights and removes those before `today`. After the end of the known nights every night
 * is fully available.
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
