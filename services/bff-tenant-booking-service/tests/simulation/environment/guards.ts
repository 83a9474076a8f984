import type { Rewrite } from './simulated-statements.ts'
import type { SimulationOptions } from './simulation.ts'

/** A guard of the service that a control switches off, without a hook in the service. */
export interface Guard {
  readonly name: string
  /** Before the histories, and afterwards. */
  readonly off?: string
  readonly on?: string
  readonly ignored?: readonly string[]
  readonly options?: () => Pick<SimulationOptions, 'rewrite' | 'changeClients'>
  /** Fails if the statements that contain the guard were never seen. */
  readonly wasUsed?: () => boolean
}

interface Replacement {
  /** Only in statements with this text. */
  readonly within: string
  readonly pattern: RegExp
  readonly by: string
}

/** @throws when a statement with the guard does not contain the text to replace any more. */
function rewriting(replacements: readonly Replacement[]) {
  let uses = 0
  const rewrite: Rewrite = (text) =>
    replacements
      .filter(({ within }) => text.includes(within))
      .reduce((before, { pattern, by }) => {
        const after = before.replace(pattern, by)
        if (after === before) throw new TypeError(`no ${String(pattern)} in: ${before}`)
        uses += 1
        return after
      }, text)
  return { options: () => ({ rewrite }), wasUsed: () => uses > 0 }
}

export function guardOf(name: string): Guard {
  const guard = GUARDS.find((other) => other.name === name)
  if (guard === undefined) throw new TypeError(`no guard ${name}`)
  return guard
}

let calls = 0

export const GUARDS: readonly Guard[] = [
  {
    name: 'claim',
    ...rewriting([
      {
        within: 'set attempt = f.attempt + 1',
        pattern: /f\.lease_until <= booking_now\(\)/,
        by: 'true',
      },
    ]),
  },
  {
    name: 'fence',
    ...rewriting([
      {
        within: 'with fence as',
        pattern: /f\.attempt = (\$\d+)::int/,
        by: '$1::int is not null',
      },
    ]),
  },
  {
    name: 'decision',
    ...rewriting([
      {
        within: 'decision = $',
        pattern: /state = \$\d+, decision = \$\d+, /,
        by: '',
      },
    ]),
  },
  {
    name: 'cancel before refund',
    options: () => ({
      changeClients: (clients) => ({
        ...clients,
        reservation: {
          ...clients.reservation,
          cancel: ({ params }, call) => clients.reservation.get({ params }, call),
        },
      }),
    }),
  },
  {
    name: 'stored key',
    options: () => ({
      changeClients: (clients) => ({
        ...clients,
        payment: {
          ...clients.payment,
          createIntent: (input, call) => {
            calls += 1
            const idempotencyKey = `${call.idempotencyKey}-${calls}`
            return clients.payment.createIntent(input, { ...call, idempotencyKey })
          },
        },
      }),
    }),
  },
  {
    name: 'version compare',
    ...rewriting([
      {
        within: 'd.version = $',
        pattern: /d\.version = (\$\d+)::int/g,
        by: '$1::int is not null',
      },
    ]),
  },
  {
    // The version of the draft and the number of the attempt prevent a second payment, too: the
    // index guards what they miss.
    name: 'partial index',
    off: 'drop index ux_booking_payment_attempt_open',
    on: `create unique index ux_booking_payment_attempt_open
      on booking_payment_attempt (tenant_id, draft_id) where status in ('creating', 'open')`,
    ignored: ['version'],
    ...rewriting([
      {
        within: 'insert into booking_payment_attempt',
        pattern: /d\.version = (\$\d+)::int/g,
        by: '$1::int is not null',
      },
      {
        within: 'insert into booking_payment_attempt',
        pattern: /(\$\d+)::uuid, (\$\d+)::smallint,/,
        by: `$1::uuid, ($2::smallint * 0 + 1 + (select count(*)
          from booking_payment_attempt x where x.draft_id = $1::uuid))::smallint,`,
      },
    ]),
  },
]
