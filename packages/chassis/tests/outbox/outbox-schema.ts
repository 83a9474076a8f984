import { newId, type TenantId } from '@melmastoon/domain'
import type { EventMessage, OutboxEvent } from '@melmastoon/events'
import type { Static } from 'typebox'
import { type Migration, sharedMigrations, sql, type Tx } from '../../src/db/index.ts'
import { type notePlaced, registry } from './note-events.ts'

export { notePlaced, noteReserved, registry } from './note-events.ts'

/** Shared by the tests of outbox and inbox: one schema, one kind of event, one kind of effect. */
export const SCHEMA = 'obx'
export const SUBJECT = 'melmastoon.example.note.placed.v1'

const EFFECTS: Migration = {
  version: '0100_effect',
  up: `create table obx.effect (
      id bigint generated always as identity primary key,
      tenant_id uuid not null default obx.current_tenant(),
      event_id text not null, note_id text not null, ordinal int not null
    );
    alter table obx.effect enable row level security;
    alter table obx.effect force row level security;
    create policy effect_tenant_isolation on obx.effect to obx_app
      using (tenant_id = (select obx.current_tenant()))
      with check (tenant_id = (select obx.current_tenant()));
    grant select, insert on obx.effect to obx_app;`,
}

export async function migrations(): Promise<Migration[]> {
  return [...(await sharedMigrations({ schema: SCHEMA, idempotencyIsolation: false })), EFFECTS]
}

export const tenantId: TenantId = newId('tnt')

type Placed = Static<typeof notePlaced.payload>

/** The `ordinal`-th event of a key. */
export function note(
  noteId: string,
  ordinal: number,
  tenant: TenantId = tenantId,
): OutboxEvent<Placed> {
  return registry.build(
    SUBJECT,
    { tenantId: tenant, noteId, lengthChars: ordinal, placedAt: '2026-03-21T09:00:00.000Z' },
    {
      producerInstance: 'test',
      tenantId: tenant,
      requestId: newId('req'),
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      occurredAt: new Date('2026-03-21T09:00:00.000Z'),
    },
  )
}

export async function recordEffect(
  tx: Tx,
  { noteId, lengthChars }: Placed,
  { envelope }: EventMessage,
) {
  await tx.query(
    sql`insert into effect (event_id, note_id, ordinal)
      values (${envelope.eventId}, ${noteId}, ${lengthChars})`,
  )
}
