import { createDeadline } from '@melmastoon/chassis/clock'
import { createUpstream } from '@melmastoon/chassis/upstream'
import { type Id, idToUuid, newId, type TenantId } from '@melmastoon/domain'
import { sandboxService } from '@melmastoon/platform-sandbox'
import {
  eventually,
  send,
  startService,
  type TestEnvironment,
  testEnvironment,
} from '@melmastoon/testkit'
import {
  type Contract,
  createUpstreamClient,
  type Operations,
} from '@melmastoon/upstream-contracts'
import { sharedSecretAuth } from '@melmastoon/upstream-contracts/auth'
import { paymentContract } from '@melmastoon/upstream-contracts/payment'
import { guestReservationContract } from '@melmastoon/upstream-contracts/reservation'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import type { Implementation, Operator } from './subject.ts'
import { TIME_ZONE, type World } from './world.ts'

const SERVICE_SECRET = 'what services of the platform share, in tests'

/** The sandbox over HTTP, without a demo world. */
export async function startSandbox() {
  const environment = await testEnvironment(sandboxService, {
    SERVICE_SECRET,
    WEBHOOK_SECRET: 'what payment webhooks are signed with, in tests',
    WORLD_PROPERTIES: '0',
  })
  const running = await startService(sandboxService, environment.env)
  const connect = <O extends Operations>(contract: Contract<O>) =>
    createUpstreamClient(
      contract,
      createUpstream({
        name: contract.upstream,
        baseUrl: `${running.url}/upstreams/${contract.upstream}`,
        timeoutMs: 20_000,
        retries: 0,
        authorize: sharedSecretAuth('test-service', SERVICE_SECRET).headers,
      }),
    )
  const clients = {
    reservation: connect(guestReservationContract),
    payment: connect(paymentContract),
  }
  const tenants = connect(tenantContract)
  return {
    async createTenant(): Promise<TenantId> {
      using deadline = createDeadline(20_000)
      const call = { deadline, idempotencyKey: newId('req') }
      return (await tenants.createTenant({ body: hotelBody() }, call)).tenantId
    },
    async nowMs(): Promise<number> {
      const [row] = await environment.query<{ at: Date }>('select clock_timestamp() as at')
      return row?.at.getTime() ?? Number.NaN
    },
    async implementation(world: World): Promise<Implementation> {
      await storeWorld(environment, world)
      const runJob = jobRunner(running.internalUrl, environment)
      const suspend = suspender(tenants, world.tenantId)
      const operator = operatorOf({ environment, world, url: running.url, runJob, suspend })
      return { clients, operator }
    },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]()
      await environment[Symbol.asyncDispose]()
    },
  }
}

export type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>

function jobRunner(internalUrl: string, environment: TestEnvironment) {
  const headers = { 'x-internal-secret': environment.env['INTERNAL_SECRET'] ?? '' }
  return async (name: string) => {
    const { status } = await send(internalUrl, 'POST', `/internal/jobs/${name}`, {
      json: {},
      headers,
    })
    if (status !== 200) throw new Error(`the job ${name} responded with ${status}`)
  }
}

type Tenants = ReturnType<typeof createUpstreamClient<(typeof tenantContract)['operations']>>

function suspender(tenants: Tenants, tenantId: TenantId): Operator['suspend'] {
  let isSuspended = false
  return async (wanted) => {
    if (wanted === isSuspended) return
    using deadline = createDeadline(20_000)
    const call = { deadline, tenantId, idempotencyKey: newId('req') }
    const params = { tenantId }
    if (wanted) await tenants.suspend({ params, body: { reasonCode: 'unpaid' } }, call)
    else await tenants.reactivate({ params, body: {} }, call)
    isSuspended = wanted
  }
}

interface OperatorDeps {
  readonly environment: TestEnvironment
  readonly world: World
  readonly url: string
  readonly runJob: (name: string) => Promise<void>
  readonly suspend: Operator['suspend']
}

function operatorOf({ environment, world, url, runJob, suspend }: OperatorDeps): Operator {
  const tenant = idToUuid(world.tenantId)
  const update = (text: string, id: Id) => environment.query(text, [tenant, idToUuid(id)])
  return {
    suspend,
    async expireHold(id) {
      await update(
        `update sandbox.inventory_allocation set expires_at = clock_timestamp() - interval '1 ms'
         where tenant_id = $1 and allocation_id = (select allocation_id
           from sandbox.reservation_booking where tenant_id = $1 and reservation_id = $2)`,
        id,
      )
    },
    sweepHolds: () => runJob('expire-holds'),
    async expireIntent(id) {
      await update(
        `update sandbox.payment_intent set expires_at = clock_timestamp() - interval '1 ms'
         where tenant_id = $1 and payment_intent_id = $2 and expires_at is not null`,
        id,
      )
      await runJob('expire-payment-intents')
    },
    async settleDue(id) {
      const moved = await update(
        `update sandbox.payment_intent set settle_at = now()
         where tenant_id = $1 and payment_intent_id = $2 and status = 'processing'
           and settle_at is not null returning 1`,
        id,
      )
      if (moved.length > 0) await untilSettled(environment, id)
    },
    async pay({ nextAction }, action, card) {
      if (nextAction?.kind !== 'redirect') return
      const { pathname, searchParams } = new URL(nextAction.url)
      const form = { cs: searchParams.get('cs') ?? '', action, ...(action === 'pay' && { card }) }
      const { status } = await send(url, 'POST', pathname, { form })
      if (status >= 400) throw new Error(`the payment page responded with ${status}`)
    },
    inspect: () => inspect(environment, world),
  }
}

async function untilSettled(environment: TestEnvironment, id: Id): Promise<void> {
  await eventually(async () => {
    const [row] = await environment.query<{ status: string }>(
      'select status from sandbox.payment_intent where payment_intent_id = $1',
      [idToUuid(id)],
    )
    if (row?.status === 'processing') throw new Error('the payment is still processing')
  })
}

async function inspect(environment: TestEnvironment, { tenantId, roomTypes }: World) {
  const tenant = idToUuid(tenantId)
  const rows = await environment.query<{ type: string; night: string; held: number; sold: number }>(
    `select room_type_id as type, night::text as night, held, sold from sandbox.inventory_night
     where tenant_id = $1`,
    [tenant],
  )
  const nights = roomTypes.map(({ roomTypeId }) => {
    const own = rows.filter(({ type }) => type === idToUuid(roomTypeId))
    const count = (name: 'held' | 'sold') =>
      Object.fromEntries(own.filter((row) => row[name] > 0).map((row) => [row.night, row[name]]))
    return { held: count('held'), sold: count('sold') }
  })
  const webhooks = await environment.query<{ body: string }>(
    `select w.body from sandbox.payment_webhook w
     join sandbox.payment_intent i using (tenant_id, payment_intent_id)
     where w.tenant_id = $1 order by i.created_at, i.payment_intent_id, w.intent_version`,
    [tenant],
  )
  return { nights, webhooks: webhooks.map(({ body }) => JSON.parse(body) as unknown) }
}

async function storeWorld(environment: TestEnvironment, world: World): Promise<void> {
  const { propertyId, roomTypes, quotes } = world
  const [tenant, property] = [idToUuid(world.tenantId), idToUuid(propertyId)]
  await environment.query(
    `with types as (
       insert into sandbox.inventory_room_type (tenant_id, room_type_id, property_id, capacity,
         time_zone)
       select $1, t.id, $2, t.capacity, $3 from unnest($4::uuid[], $5::int[]) as t (id, capacity))
     insert into sandbox.pricing_quote (tenant_id, quote_id, property_id, digest, total_micro,
       currency, body, created_at, expires_at)
     select $1, q.id, $2, q.body ->> 'digest', (q.body #>> '{total,amountMicro}')::bigint,
       q.body #>> '{total,currency}', q.body, (q.body ->> 'createdAt')::timestamptz,
       (q.body ->> 'expiresAt')::timestamptz
     from unnest($6::uuid[], $7::jsonb[]) as q (id, body)`,
    [
      tenant,
      property,
      TIME_ZONE,
      roomTypes.map(({ roomTypeId }) => idToUuid(roomTypeId)),
      roomTypes.map(({ capacity }) => capacity),
      quotes.map(({ quoteId }) => idToUuid(quoteId)),
      quotes.map((quote) => JSON.stringify(quote)),
    ],
  )
}

function hotelBody() {
  const text = { default: 'text' }
  return {
    slug: `hotel-${newId('req').slice(-12).toLowerCase()}`,
    legalName: 'Test Hotel',
    displayName: { default: 'Test Hotel' },
    country: 'AF',
    region: 'asia-south1',
    config: {
      timeZone: TIME_ZONE,
      locales: ['en' as const],
      defaultLocale: 'en' as const,
      currencies: ['AFN' as const],
      primaryCurrency: 'AFN' as const,
      paymentMethods: ['card' as const, 'cash_on_arrival' as const, 'mobile_money' as const],
      paymentEnabled: true,
      checkInTime: '14:00',
      checkOutTime: '11:00',
      policies: { privacy: text, terms: text, accessibility: text },
    },
  }
}
