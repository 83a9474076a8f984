import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

const moment = (name: string) => timestamp(name, { withTimezone: true })
const momentNow = (name: string) => moment(name).notNull().defaultNow()

/** One row of an event, before and after its publication. */
function eventColumns() {
  return {
    eventId: text('event_id').notNull(),
    tenantId: uuid('tenant_id'),
    subject: text('subject').notNull(),
    payload: jsonb('payload').notNull(),
    envelope: jsonb('envelope').notNull(),
    occurredAt: moment('occurred_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    dlq: boolean('dlq').notNull().default(false),
    lastError: text('last_error'),
    orderingKey: text('ordering_key').notNull(),
  }
}

/** The tables of packages/chassis/migrations for Drizzle; a test compares both with Postgres. */
export function sharedTables(schemaName: string) {
  const schema = pgSchema(schemaName)
  return {
    ...outboxTables(schema),
    inbox: inboxTable(schema),
    idempotency: idempotencyTable(schema),
    jobRun: schema.table('job_run', {
      name: text('name').primaryKey(),
      runner: text('runner'),
      leaseUntil: moment('lease_until'),
      lastStartedAt: moment('last_started_at'),
      lastFinishedAt: moment('last_finished_at'),
      lastResult: jsonb('last_result'),
    }),
    schemaMigrations: schema.table('schema_migrations', {
      version: text('version').primaryKey(),
      appliedAt: momentNow('applied_at'),
    }),
  }
}

type Schema = ReturnType<typeof pgSchema>

function outboxTables(schema: Schema) {
  return {
    outbox: outboxTable(schema),
    outboxPublished: schema.table(
      'outbox_published',
      {
        id: uuid('id').notNull(),
        ...eventColumns(),
        enqueuedAt: moment('enqueued_at').notNull(),
        publishedAt: momentNow('published_at'),
        nextAttemptAt: moment('next_attempt_at'),
        status: text('status').notNull().default('published'),
        seq: bigint('seq', { mode: 'number' }),
      },
      (table) => [
        primaryKey({ name: 'pk_outbox_published', columns: [table.eventId] }),
        index('ix_outbox_published_at').on(table.publishedAt),
      ],
    ),
    outboxLease: schema.table('outbox_lease', {
      shard: smallint('shard').primaryKey(),
      owner: text('owner'),
      fence: bigint('fence', { mode: 'number' }).notNull().default(0),
      leaseUntil: moment('lease_until'),
    }),
  }
}

function outboxTable(schema: Schema) {
  return schema.table(
    'outbox',
    {
      id: uuid('id').primaryKey().defaultRandom(),
      ...eventColumns(),
      enqueuedAt: momentNow('enqueued_at'),
      publishedAt: moment('published_at'),
      nextAttemptAt: momentNow('next_attempt_at'),
      status: text('status').notNull().default('pending'),
      seq: bigint('seq', { mode: 'number' }).generatedAlwaysAsIdentity(),
      shard: smallint('shard').generatedAlwaysAs(
        sql`((hashtextextended(ordering_key, 0) & 15)::smallint)`,
      ),
    },
    (table) => [
      unique('ux_outbox_event_id').on(table.eventId),
      index('ix_outbox_status_next_attempt').on(table.status, table.nextAttemptAt),
      index('ix_outbox_subject').on(table.subject),
      index('ix_outbox_tenant').on(table.tenantId),
      index('ix_outbox_pending').on(table.nextAttemptAt),
      index('ix_outbox_dlq').on(table.enqueuedAt.desc()),
      index('ix_outbox_claim').on(table.shard, table.seq),
    ],
  )
}

function inboxTable(schema: Schema) {
  return schema.table(
    'inbox',
    {
      messageId: text('message_id').primaryKey(),
      subject: text('subject').notNull(),
      receivedAt: momentNow('received_at'),
      processedAt: moment('processed_at'),
      attempts: integer('attempts').notNull().default(0),
      lastError: text('last_error'),
      dead: boolean('dead').notNull().default(false),
    },
    (table) => [
      index('ix_inbox_received').on(table.receivedAt),
      index('ix_inbox_unprocessed').on(table.receivedAt),
    ],
  )
}

function idempotencyTable(schema: Schema) {
  return schema.table(
    'idempotency',
    {
      key: text('key').notNull(),
      tenantId: uuid('tenant_id'),
      requestHash: text('request_hash').notNull(),
      hashVersion: smallint('hash_version').notNull().default(1),
      state: text('state', { enum: ['in_progress', 'completed'] })
        .notNull()
        .default('in_progress'),
      attempt: integer('attempt').notNull().default(1),
      leaseUntil: moment('lease_until').notNull(),
      recoveryPoint: text('recovery_point').notNull().default('started'),
      recoveryData: jsonb('recovery_data').notNull().default({}),
      response: jsonb('response'),
      statusCode: integer('status_code'),
      deviceId: text('device_id'),
      operatorId: text('operator_id'),
      createdAt: momentNow('created_at'),
      expiresAt: moment('expires_at').notNull().default(sql`now() + interval '24 hours'`),
    },
    (table) => [
      uniqueIndex('ux_idempotency_scope').on(table.tenantId, table.key),
      index('ix_idempotency_tenant_expires').on(table.tenantId, table.expiresAt),
      index('ix_idem_expiry').on(table.expiresAt),
    ],
  )
}
