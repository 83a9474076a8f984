import 'reflect-metadata'
import { Controller, Module, Sse } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { Subject } from 'rxjs'
import { collectedMemory } from '../src/harness/collected-memory.ts'
import { serveCommands } from '../src/harness/serve-commands.ts'

const events = new Subject()

/** As in the documentation of Nest: `@Sse` with one observable for all. */
async function start() {
  class StreamController {
    stream() {
      return events
    }
  }
  const { prototype } = StreamController
  Sse('/')(prototype, 'stream', Object.getOwnPropertyDescriptor(prototype, 'stream'))
  Controller()(StreamController)
  class AppModule {}
  Module({ controllers: [StreamController] })(AppModule)
  const app = await NestFactory.create(AppModule, { logger: false })
  await app.listen(0, '127.0.0.1')
  return app.getHttpServer().address().port
}

function broadcast() {
  events.next({ type: 'arrivals', id: '1', data: { type: 'reservation.confirmed' } })
}

serveCommands({ start, broadcast, memory: collectedMemory })
