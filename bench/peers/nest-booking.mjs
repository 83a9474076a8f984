import 'reflect-metadata'
import { randomUUID } from 'node:crypto'
import { HttpModule, HttpService } from '@nestjs/axios'
import {
  Body,
  ConflictException,
  Controller,
  Headers,
  HttpCode,
  Inject,
  Module,
  Param,
  Patch,
  Post,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { TypeOrmModule } from '@nestjs/typeorm'
import { firstValueFrom } from 'rxjs'
import { DataSource, EntitySchema } from 'typeorm'
import { serveCommands } from '../src/harness/serve-commands.ts'
import {
  captureModeOf,
  confirmRequest,
  holdRequest,
  intentRequest,
  quoteRequest,
  TABLES,
  upstreamHeaders,
  viewOf,
} from './booking-flow.mjs'

const text = (name) => ({ type: 'text', ...(name && { name }) })
const instant = (name) => ({ type: 'timestamptz', name })
const key = { type: 'text', primary: true }
const json = (nullable = false) => ({ type: 'jsonb', nullable })

const Quote = new EntitySchema({
  name: 'Quote',
  tableName: 'quotes',
  columns: {
    id: key,
    tenantId: text('tenant_id'),
    quote: json(),
    expiresAt: instant('expires_at'),
  },
})
const Draft = new EntitySchema({
  name: 'Draft',
  tableName: 'drafts',
  columns: {
    id: key,
    tenantId: text('tenant_id'),
    sessionId: text('session_id'),
    state: text(),
    version: { type: 'int', version: true },
    quoteId: text('quote_id'),
    reservationId: text('reservation_id'),
    reservationCode: text('reservation_code'),
    terms: json(),
    holdExpiresAt: instant('hold_expires_at'),
    guest: json(true),
    createdAt: { ...instant('created_at'), createDate: true },
    updatedAt: { ...instant('updated_at'), updateDate: true },
  },
})
const Payment = new EntitySchema({
  name: 'Payment',
  tableName: 'payments',
  columns: {
    id: key,
    draftId: text('draft_id'),
    method: text(),
    captureMode: text('capture_mode'),
    status: text(),
    amount: json(),
    createdAt: { ...instant('created_at'), createDate: true },
  },
})
const Event = new EntitySchema({
  name: 'Event',
  tableName: 'outbox',
  columns: {
    id: { type: 'uuid', primary: true },
    subject: text(),
    orderingKey: text('ordering_key'),
    payload: json(),
    createdAt: { ...instant('created_at'), createDate: true },
  },
})

/** As in the documentation of Nest: the TypeORM and HTTP modules, entities, one transaction each. */
async function start({ databaseUrl, upstreams, tenantId }) {
  const headers = upstreamHeaders(upstreams, tenantId)

  class BookingController {
    constructor(http, data) {
      this.http = http
      this.data = data
    }

    async call(name, method, path, body) {
      const isChange = body !== undefined
      const response = await firstValueFrom(
        this.http.request({
          method,
          url: `${upstreams.url}/upstreams/${name}/api/v1${path}`,
          headers: { ...headers, ...(isChange && { 'idempotency-key': randomUUID() }) },
          ...(isChange && { data: body }),
          timeout: 2_000,
          validateStatus: (status) => status < 300 || status === 409,
        }),
      )
      return response.status === 409 ? null : response.data
    }

    event(manager, subject, orderingKey) {
      const payload = { id: orderingKey }
      return manager.insert(Event, { id: randomUUID(), subject, orderingKey, payload })
    }

    async quote(body) {
      const quote = await this.call('pricing', 'POST', '/pricing/quotes', quoteRequest(body))
      const { quoteId: id, expiresAt } = quote
      await this.data.transaction((manager) =>
        manager.insert(Quote, { id, tenantId, quote, expiresAt }),
      )
      return quote
    }

    async hold(body, session) {
      const found = await this.data
        .getRepository(Quote)
        .findOneByOrFail({ id: body.quoteId, tenantId })
      const { quote } = found
      if (quote.digest !== body.digest) throw new ConflictException('price_changed')
      const id = randomUUID()
      const request = holdRequest(quote, id, session)
      const held = await this.call('reservation', 'POST', '/reservations/holds', request)
      if (held === null) throw new ConflictException('sold_out')
      return this.data.transaction(async (manager) => {
        const draft = await manager.save(
          Draft,
          manager.create(Draft, {
            id,
            tenantId,
            sessionId: session,
            state: 'holding',
            quoteId: quote.quoteId,
            reservationId: held.reservationId,
            reservationCode: held.code,
            terms: quote,
            holdExpiresAt: held.holdExpiresAt,
          }),
        )
        await this.event(manager, 'booking_draft.created', id)
        return viewOf(draft)
      })
    }

    details(id, body) {
      return this.data.transaction(async (manager) => {
        const draft = await manager.findOneByOrFail(Draft, { id })
        if (draft.version !== body.version) throw new ConflictException('changed')
        Object.assign(draft, { guest: body.guest, state: 'collecting_details' })
        await manager.save(Draft, draft)
        await this.event(manager, 'flow.step_completed', id)
        return viewOf(draft)
      })
    }

    async pay(id, { method }) {
      const draft = await this.data.getRepository(Draft).findOneByOrFail({ id })
      const [recheck, methods] = await Promise.all([
        this.call('pricing', 'GET', `/pricing/quotes/${draft.terms.quoteId}/recheck`),
        this.call('payment', 'GET', '/payments/methods'),
      ])
      if (recheck.outcome !== 'matched') throw new ConflictException('price_changed')
      const captureMode = captureModeOf(methods, method)
      const request = intentRequest(draft, method, captureMode)
      const intent = await this.call('payment', 'POST', '/payments/intents', request)
      return this.data.transaction(async (manager) => {
        const { paymentIntentId, status, amount } = intent
        const payment = { id: paymentIntentId, draftId: id, method, captureMode, status, amount }
        await manager.insert(Payment, payment)
        draft.state = 'paying'
        await manager.save(Draft, draft)
        await this.event(manager, 'payment_intent.created', id)
        return { ...viewOf(draft), nextAction: intent.nextAction }
      })
    }

    async confirm(id) {
      const draft = await this.data.getRepository(Draft).findOneByOrFail({ id })
      const payment = await this.data.getRepository(Payment).findOneByOrFail({ draftId: id })
      const at = `/payments/intents/${payment.id}`
      const intent = await this.call('payment', 'GET', at)
      if (!['authorized', 'captured', 'pending_cash'].includes(intent.status)) {
        throw new ConflictException('not_paid')
      }
      const path = `/reservations/${draft.reservationId}/confirm`
      await this.call('reservation', 'POST', path, confirmRequest(draft, payment))
      const isOpen = intent.status === 'authorized' && payment.captureMode === 'manual'
      const { status } = isOpen ? await this.call('payment', 'POST', `${at}/capture`, {}) : intent
      return this.data.transaction(async (manager) => {
        payment.status = status
        await manager.save(Payment, payment)
        draft.state = 'confirmed'
        await manager.save(Draft, draft)
        await this.event(manager, 'booking_draft.converted', id)
        return viewOf(draft)
      })
    }
  }

  const { prototype } = BookingController
  const route = (name, decorators) => {
    for (const decorate of decorators) {
      decorate(prototype, name, Object.getOwnPropertyDescriptor(prototype, name))
    }
  }
  const argument = (decorate, index) => (target, name) => decorate(target, name, index)
  route('quote', [Post('quote'), argument(Body(), 0)])
  route('hold', [Post('hold'), argument(Body(), 0), argument(Headers('cookie'), 1)])
  route('details', [Patch('draft/:id'), argument(Param('id'), 0), argument(Body(), 1)])
  route('pay', [Post('draft/:id/payment-intent'), argument(Param('id'), 0), argument(Body(), 1)])
  route('confirm', [Post('draft/:id/confirm'), HttpCode(200), argument(Param('id'), 0)])
  Inject(HttpService)(BookingController, undefined, 0)
  Inject(DataSource)(BookingController, undefined, 1)
  Controller()(BookingController)
  class AppModule {}
  const database = TypeOrmModule.forRoot({
    type: 'postgres',
    url: databaseUrl,
    entities: [Quote, Draft, Payment, Event],
    extra: { max: 8 },
  })
  Module({ imports: [HttpModule, database], controllers: [BookingController] })(AppModule)
  const app = await NestFactory.create(AppModule, { logger: false })
  await app.get(DataSource).query(TABLES)
  await app.listen(0, '127.0.0.1')
  return app.getHttpServer().address().port
}

serveCommands({ start })
