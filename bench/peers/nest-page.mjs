import 'reflect-metadata'
import { createKeyv } from '@keyv/redis'
import { CacheInterceptor, CacheModule } from '@nestjs/cache-manager'
import { Controller, Get, Module, UseInterceptors } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { answerCommands } from '../src/harness/answer-commands.ts'

/** As Nest's own documentation has it: the caching interceptor over a Redis store. */
async function start({ redisUrl, body }) {
  const page = JSON.parse(body)
  class PageController {
    page() {
      return page
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(PageController.prototype, 'page')
  Get('example/v1/page')(PageController.prototype, 'page', descriptor)
  UseInterceptors(CacheInterceptor)(PageController)
  Controller()(PageController)
  class AppModule {}
  const cache = CacheModule.register({ stores: [createKeyv(redisUrl)], ttl: 3_600_000 })
  Module({ imports: [cache], controllers: [PageController] })(AppModule)
  const app = await NestFactory.create(AppModule, { logger: false })
  await app.listen(0, '127.0.0.1')
  return app.getHttpServer().address().port
}

answerCommands({ start })
