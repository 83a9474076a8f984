import 'reflect-metadata'
import { createKeyv } from '@keyv/redis'
import { CACHE_MANAGER, CacheModule } from '@nestjs/cache-manager'
import { Body, Controller, Get, HttpCode, Inject, Module, Post, Req } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { serveCommands } from '../src/harness/serve-commands.ts'

/** As in the documentation of Nest: the cache manager with a Redis store and an explicit key. */
async function start({ redisUrl, body, query, path }) {
  const keyOf = (key) => `page:${JSON.stringify(key)}`
  class PageController {
    constructor(cache) {
      this.cache = cache
    }

    response(query) {
      return this.cache.get(keyOf(query))
    }

    document(request) {
      return this.cache.get(keyOf(request.originalUrl))
    }
  }
  const { prototype } = PageController
  const { pathname } = new URL(path, 'http://host')
  const descriptorOf = (name) => Object.getOwnPropertyDescriptor(prototype, name)
  Post(pathname)(prototype, 'response', descriptorOf('response'))
  HttpCode(200)(prototype, 'response', descriptorOf('response'))
  Body()(prototype, 'response', 0)
  Get(pathname)(prototype, 'document', descriptorOf('document'))
  Req()(prototype, 'document', 0)
  Inject(CACHE_MANAGER)(PageController, undefined, 0)
  Controller()(PageController)
  class AppModule {}
  const cache = CacheModule.register({ stores: [createKeyv(redisUrl)], ttl: 3_600_000 })
  Module({ imports: [cache], controllers: [PageController] })(AppModule)
  const app = await NestFactory.create(AppModule, { logger: false })
  const key = query === undefined ? path : JSON.parse(query)
  await app.get(CACHE_MANAGER).set(keyOf(key), JSON.parse(body))
  await app.listen(0, '127.0.0.1')
  return app.getHttpServer().address().port
}

serveCommands({ start })
