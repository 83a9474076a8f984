import 'reflect-metadata'
import { HttpModule, HttpService } from '@nestjs/axios'
import { Body, Controller, HttpCode, Inject, Module, Post } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { firstValueFrom } from 'rxjs'
import { serveCommands } from '../src/harness/serve-commands.ts'
import { composePage, peekBody, previewBody, searchBody, serviceHeaders } from './compose-page.mjs'

/** As in the documentation of Nest: the HTTP module, which uses axios. */
async function start({ upstreams, secret }) {
  const headers = serviceHeaders(secret)
  class SearchController {
    constructor(http) {
      this.http = http
    }

    async call(url, body) {
      const response = await firstValueFrom(this.http.post(url, body, { headers, timeout: 2_000 }))
      return response.data
    }

    async search(query) {
      const { search, pricing, theme } = upstreams
      const found = await this.call(`${search}/api/v1/search/queries`, searchBody(query))
      const [previews, peeks] = await Promise.all([
        this.call(`${pricing}/api/v1/pricing/quotes/preview`, previewBody(query, found.items)),
        this.call(`${theme}/api/v1/themes/peeks`, peekBody(found.items)),
      ])
      return composePage(found, previews, peeks)
    }
  }
  const { prototype } = SearchController
  const descriptor = Object.getOwnPropertyDescriptor(prototype, 'search')
  Post('search')(prototype, 'search', descriptor)
  HttpCode(200)(prototype, 'search', descriptor)
  Body()(prototype, 'search', 0)
  Inject(HttpService)(SearchController, undefined, 0)
  Controller()(SearchController)
  class AppModule {}
  Module({ imports: [HttpModule], controllers: [SearchController] })(AppModule)
  const app = await NestFactory.create(AppModule, { logger: false })
  await app.listen(0, '127.0.0.1')
  return app.getHttpServer().address().port
}

serveCommands({ start })
