/** What both peers store: a row per quote, draft and payment, and an event per change. */
export const TABLES = `
  create table quotes (id text primary key, tenant_id text not null, quote jsonb not null,
    expires_at timestamptz not null);
  create table drafts (id text primary key, tenant_id text not null, session_id text not null,
    state text not null, version int not null, quote_id text not null,
    reservation_id text not null, reservation_code text not null, terms jsonb not null,
    hold_expires_at timestamptz not null, guest jsonb, created_at timestamptz not null default now(),
    updated_at timestamptz not null default now());
  create index on drafts (tenant_id, session_id);
  create table payments (id text primary key, draft_id text not null, method text not null,
    capture_mode text not null, status text not null, amount jsonb not null,
    created_at timestamptz not null default now());
  create index on payments (draft_id);
  create table outbox (id uuid primary key, subject text not null, ordering_key text not null,
    payload jsonb not null, created_at timestamptz not null default now());`

export function upstreamHeaders({ secret }, tenantId) {
  return {
    authorization: `Bearer ${secret}`,
    'x-calling-service': 'bench-peer',
    'x-tenant-id': tenantId,
  }
}

export function quoteRequest({ propertyId, stay, occupancy, rooms }) {
  return { propertyId, stay, occupancy, rooms }
}

export function holdRequest(quote, draftId, session) {
  const { quoteId, digest } = quote
  return { quoteId, draftId, guestLocale: 'en', session, expectedDigest: digest }
}

export function intentRequest(draft, method, captureMode) {
  return {
    reservationId: draft.reservationId,
    draftRef: draft.id,
    method,
    amount: draft.terms.total,
    captureMode,
    ...(method === 'card' && { returnUrl: 'http://creek-pearl.localhost:8082/book/return' }),
  }
}

export function confirmRequest(draft, payment) {
  const { fullName, email, phone } = draft.guest
  return {
    guest: { fullName, email, phone },
    payment: { method: payment.method, paymentIntentId: payment.id },
    expectedDigest: draft.terms.digest,
  }
}

export function captureModeOf({ methods }, method) {
  const offered = methods.find((each) => each.method === method)
  if (offered === undefined) throw new Error('not offered')
  return offered.captureModes.includes('manual') ? 'manual' : 'automatic'
}

export function viewOf(draft) {
  const { id, version, state, terms, guest, reservationId, reservationCode, holdExpiresAt } = draft
  return {
    draftId: id,
    version,
    state,
    terms,
    guest,
    reservationId,
    reservationCode,
    holdExpiresAt,
  }
}
