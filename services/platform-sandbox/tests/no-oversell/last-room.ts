import type { TestEnvironment, TestResponse } from '../start-sandbox.ts'
import { type Hotel, openHotel } from './hotel.ts'
import { giveQuote, holdReservation } from './quote.ts'

export interface Race {
  readonly hotel: Hotel
  readonly responses: readonly TestResponse[]
  readonly latenciesMs: readonly number[]
}

/** Buyers who request a room of the same night concurrently, at any of the addresses. */
export async function raceForRooms(
  environment: TestEnvironment,
  urls: readonly string[],
  { buyers, rooms }: { buyers: number; rooms: number },
): Promise<Race> {
  const hotel = await openHotel(environment, { rooms: [rooms] })
  const quoteId = await giveQuote(environment, hotel)
  const latenciesMs: number[] = []
  const buy = async (_: unknown, buyer: number) => {
    const startedMs = performance.now()
    const response = await holdReservation(urls[buyer % urls.length] ?? '', hotel, { quoteId })
    latenciesMs.push(performance.now() - startedMs)
    return response
  }
  const responses = await Promise.all(Array.from({ length: buyers }, buy))
  return { hotel, responses, latenciesMs }
}
