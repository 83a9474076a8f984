import Fastify from 'fastify'
import { serveCommands } from '../src/harness/serve-commands.ts'
import { createReader } from './compose-dashboard.mjs'

/** A hand-written gateway: Fastify, undici, two calls, one object; no cache, no credentials. */
async function start(input) {
  const read = createReader(input)
  const app = Fastify()
  app.get('/board', async () => {
    const [{ rooms }, { stays }] = await Promise.all([
      read(input.calls.rooms),
      read(input.calls.arrivals),
    ])
    const next = new Map(stays.flatMap((stay) => stay.rooms.map(({ roomId }) => [roomId, stay])))
    return { rows: rooms.map((room) => composeRow(room, next.get(room.roomId))) }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

function composeRow(room, arrival) {
  return {
    id: room.roomId,
    version: room.version,
    updatedAt: room.updatedAt,
    number: room.number,
    floor: room.floor,
    roomTypeId: room.roomTypeId,
    condition: room.condition,
    occupancy: room.occupancy,
    flags: room.flags,
    discrepancy: room.discrepancy,
    task: room.task,
    nextArrival: arrival && {
      reservationId: arrival.reservationId,
      eta: arrival.guest.arrivalTime,
    },
  }
}

serveCommands({ start })
