import 'reflect-metadata'
import { createKeyv } from '@keyv/redis'
import { CACHE_MANAGER, CacheModule } from '@nestjs/cache-manager'
import { Body, Controller, HttpCode, Inject, Module, Post } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { answerCommands } from '../src/harness/answer-commands.ts'

/** As Nest's own documentation has it: the cache manager over a Redis store, asked by hand. */
async function start({ redisUrl, body, question, path }) {
  const keyOf = (asked) => `page:${JSON.stringify(asked)}`
  class PageController {
    constructor(cache) {
      this.cache = cache
    }

    page(asked) {
      return this.cache.get(keyOf(asked))
    }
  }
  const { prototype } = PageController
  const descriptor = Object.getOwnPropertyDescriptor(prototype, 'page')
  Post(path)(prototype, 'page', descriptor)
  HttpCode(200)(prototype, 'page', descriptor)
  Body()(prototype, 'page', 0)
  Inject(CACHE_MANAGER)(PageController, undefined, 0)
  Controller()(PageController)
  class AppModule {}
  const cache = CacheModule.register({ stores: [createKeyv(redisUrl)], ttl: 3_600_000 })
  Module({ imports: [cache], controllers: [PageController] })(AppModule)
  const app = await NestFactory.create(AppModule, { logger: false })
  await app.get(CACHE_MANAGER).set(keyOf(JSON.parse(question)), JSON.parse(body))
  await app.listen(0, '127.0.0.1')
  return app.getHttpServer().address().port
}

answerCommands({ start })
