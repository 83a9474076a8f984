import 'reflect-metadata'
import { createKeyv } from '@keyv/redis'
import { CACHE_MANAGER, CacheModule } from '@nestjs/cache-manager'
import { Body, Controller, Get, HttpCode, Inject, Module, Post, Req } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { answerCommands } from '../src/harness/answer-commands.ts'

/** As Nest's own documentation has it: the cache manager over a Redis store, asked by hand. */
async function start({ redisUrl, body, question, path }) {
  const keyOf = (asked) => `page:${JSON.stringify(asked)}`
  class PageController {
    constructor(cache) {
      this.cache = cache
    }

    answer(question) {
      return this.cache.get(keyOf(question))
    }

    document(request) {
      return this.cache.get(keyOf(request.originalUrl))
    }
  }
  const { prototype } = PageController
  const { pathname } = new URL(path, 'http://host')
  const descriptorOf = (name) => Object.getOwnPropertyDescriptor(prototype, name)
  Post(pathname)(prototype, 'answer', descriptorOf('answer'))
  HttpCode(200)(prototype, 'answer', descriptorOf('answer'))
  Body()(prototype, 'answer', 0)
  Get(pathname)(prototype, 'document', descriptorOf('document'))
  Req()(prototype, 'document', 0)
  Inject(CACHE_MANAGER)(PageController, undefined, 0)
  Controller()(PageController)
  class AppModule {}
  const cache = CacheModule.register({ stores: [createKeyv(redisUrl)], ttl: 3_600_000 })
  Module({ imports: [cache], controllers: [PageController] })(AppModule)
  const app = await NestFactory.create(AppModule, { logger: false })
  const asked = question === undefined ? path : JSON.parse(question)
  await app.get(CACHE_MANAGER).set(keyOf(asked), JSON.parse(body))
  await app.listen(0, '127.0.0.1')
  return app.getHttpServer().address().port
}

answerCommands({ start })
