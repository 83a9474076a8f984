import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { newId, problem, type ReservationId, type RoomKeyId } from '@melmastoon/domain'
import type { KeyCredential, LockAction, LockRequest } from '@melmastoon/upstream-contracts/lock'
import type { LockDeps } from '../../../src/locks/lock-deps.ts'

/** What becomes of one command; each is a fault but `done`. */
export const FAULTS = [
  'done',
  'lost-before',
  'lost-after',
  'crash-before',
  'crash-after',
  'refused',
  'busy',
  'late',
  'late-failure',
  'never',
  'silent',
  'forgotten',
  'twice',
  'reordered',
  'contradicted',
  'duplicated',
] as const
export type Fault = (typeof FAULTS)[number]

/** The process ends: whatever comes after the call does not happen. */
export class SimulatedCrash extends Error {}

/** An event that the lock service will publish. */
export interface Report {
  readonly requestId: string
  readonly keyId: RoomKeyId
  readonly action: LockAction
  readonly result: 'done' | 'failed'
  readonly sequence: number
  /** What happens when the vendor says so. */
  readonly effect: () => void
}

type Lock = LockDeps['upstreams']['lock']
type Issue = Parameters<Lock['issue']>[0]['body']
interface Stored {
  request: LockRequest
  isForgotten: boolean
}

export interface FaultyLockOptions {
  readonly random: () => number
  /** Called as soon as a command arrives. */
  readonly onCommand: (requestId: string) => Promise<void>
}

/** A lock service with its keys in memory, whose commands and responses fail at random. */
export class FaultyLock {
  readonly keys = new Map<RoomKeyId, KeyCredential>()
  readonly #keysOfStays = new Map<ReservationId, Set<RoomKeyId>>()
  readonly requests = new Map<string, Stored>()
  reports: Report[] = []
  readonly played = new Map<Fault, number>()
  /** When false, everything succeeds. */
  isFaulty = true
  readonly #options: FaultyLockOptions

  constructor(options: FaultyLockOptions) {
    this.#options = options
  }

  get client(): Lock {
    const change =
      (action: Exclude<LockAction, 'issue'>) =>
      async ({ params, body }: ChangeInput): Promise<LockRequest> => {
        const key = this.keys.get(params.keyId)
        if (key === undefined) throw rejection(404, 'CREDENTIAL_NOT_FOUND')
        if (action !== 'revoke' && key.state !== 'active')
          throw rejection(409, 'ILLEGAL_TRANSITION')
        // The key as it is then: a late change does not restore one that has failed since.
        const change = (now: KeyCredential) => changed(action, now, body)
        return await this.#command({ action, requestId: body.requestId, key, change })
      }
    return {
      issue: async ({ body }) => {
        const { requestId } = body
        const key = keyOf(body)
        return await this.#command({ action: 'issue', requestId, key, change: active })
      },
      revoke: change('revoke'),
      rebind: change('rebind'),
      extend: change('extend'),
      getRequest: async ({ params }) => {
        this.#read()
        const stored = this.requests.get(params.requestId)
        if (stored === undefined || stored.isForgotten) throw rejection(404, 'REQUEST_NOT_FOUND')
        return this.#current(stored.request)
      },
      listCredentials: async ({ query }) => {
        this.#read()
        const ofStay =
          query.reservationId === undefined ? [] : this.keysOf(query.reservationId).toReversed()
        return { credentials: ofStay, nextCursor: null }
      },
      getCredential: () => Promise.reject(new TypeError('not simulated')),
      getVendor: async ({ params }) => ({
        ...params,
        vendor: 'ttlock',
        kinds: ['pin_code'],
        maxDelaySeconds: 120,
        commandsAtOnce: 1,
        gateway: 'online',
      }),
    }
  }

  /** The keys of a reservation, oldest first. */
  keysOf(reservationId: ReservationId): KeyCredential[] {
    const ids = this.#keysOfStays.get(reservationId) ?? []
    return [...ids].flatMap((keyId) => this.keys.get(keyId) ?? [])
  }

  /** The commands that were executed for these reservations; null: for all. */
  requestsOf(reservations: readonly ReservationId[] | null): string[] {
    const wanted = reservations && new Set(reservations)
    const isWanted = ({ request: { credential } }: Stored) =>
      wanted === null || credential === undefined || wanted.has(credential.reservationId)
    return [...this.requests].flatMap(([id, stored]) => (isWanted(stored) ? [id] : []))
  }

  #put(key: KeyCredential): void {
    this.keys.set(key.keyId, key)
    const ofStay = this.#keysOfStays.get(key.reservationId) ?? new Set()
    this.#keysOfStays.set(key.reservationId, ofStay.add(key.keyId))
  }

  #read(): void {
    if (this.isFaulty && this.#options.random() < 0.1)
      throw problem('MELMASTOON.BFF.UPSTREAM_TIMEOUT')
  }

  #current(request: LockRequest): LockRequest {
    const { credential } = request
    const now = credential && this.keys.get(credential.keyId)
    return now === undefined ? request : { ...request, credential: now }
  }

  #choose(): Fault {
    if (!this.isFaulty) return 'done'
    const fault = FAULTS[Math.floor(this.#options.random() * FAULTS.length)] ?? 'done'
    this.played.set(fault, (this.played.get(fault) ?? 0) + 1)
    return fault
  }

  async #command(command: Command): Promise<LockRequest> {
    const { requestId } = command
    const known = this.requests.get(requestId)
    if (known !== undefined) return this.#current(known.request)
    const fault = this.#choose()
    if (fault === 'crash-before') throw new SimulatedCrash('before the call')
    await this.#options.onCommand(requestId)
    if (fault === 'lost-before') throw problem('MELMASTOON.BFF.UPSTREAM_TIMEOUT')
    if (fault === 'refused') throw rejection(422, 'VENDOR_REFUSED')
    if (fault === 'busy') throw rejection(409, 'GATEWAY_BUSY')
    return this.#execute(command, fault)
  }

  #execute({ action, requestId, key, change }: Command, fault: Fault): LockRequest {
    const request: LockRequest = {
      requestId,
      action,
      state: 'accepted',
      credential: { ...key, ...(action === 'issue' && { requestId }) },
      vendorLatencyMs: 5,
      at: key.updatedAt,
    }
    const stored = { request, isForgotten: fault === 'forgotten' }
    this.requests.set(requestId, stored)
    if (action === 'issue') {
      const { requestId: _, ...anonymous } = key
      this.#put(stored.isForgotten ? anonymous : { ...key, requestId })
    }
    const apply = () => {
      const now = this.keys.get(key.keyId) ?? key
      if (now.state !== 'revoked') this.#put(change(now))
    }
    const settle = (state: 'succeeded' | 'failed') => {
      stored.request = {
        ...stored.request,
        state,
        ...(state === 'failed' && { failureReason: 'vendor_refused' }),
      }
    }
    const done = () => {
      apply()
      settle('succeeded')
    }
    const failed = () => {
      settle('failed')
      const now = this.keys.get(key.keyId)
      if (action === 'issue' && now !== undefined && now.state !== 'revoked') {
        this.#put({ ...now, state: 'failed' })
      }
    }
    const report = (result: Report['result'], sequence: number, effect: () => void) =>
      this.reports.push({ requestId, keyId: key.keyId, action, result, sequence, effect })
    const nothing = () => undefined
    switch (fault) {
      case 'late':
        report('done', 1, done)
        return stored.request
      case 'late-failure':
        report('failed', 1, failed)
        return stored.request
      case 'reordered':
        report('done', 2, done)
        report('failed', 1, nothing)
        return stored.request
      case 'never':
        return stored.request
      case 'silent':
      case 'forgotten':
        apply()
        return this.#current(stored.request)
      case 'done':
      case 'busy':
      case 'refused':
      case 'lost-before':
      case 'crash-before':
      case 'lost-after':
      case 'crash-after':
      case 'twice':
      case 'contradicted':
      case 'duplicated':
        done()
    }
    report('done', 1, nothing)
    if (fault === 'twice') report('done', 1, nothing)
    if (fault === 'contradicted' && action === 'issue') report('failed', 2, failed)
    if (fault === 'duplicated' && action === 'issue') this.#copy(key.keyId)
    if (fault === 'crash-after') throw new SimulatedCrash('after the call')
    if (fault === 'lost-after') throw problem('MELMASTOON.BFF.UPSTREAM_TIMEOUT')
    return this.#current(stored.request)
  }

  #copy(keyId: RoomKeyId): void {
    const key = this.keys.get(keyId)
    if (key === undefined) return
    const copy = newId('key')
    this.#put({ ...key, keyId: copy })
  }
}

interface Command {
  readonly action: LockAction
  readonly requestId: string
  readonly key: KeyCredential
  readonly change: (key: KeyCredential) => KeyCredential
}

interface ChangeInput {
  readonly params: { readonly keyId: RoomKeyId }
  readonly body: {
    readonly requestId: string
    readonly rooms?: KeyCredential['rooms']
    readonly validUntil?: KeyCredential['validUntil']
  }
}

const active = (key: KeyCredential): KeyCredential => ({ ...key, state: 'active' })

function changed(
  action: Exclude<LockAction, 'issue'>,
  key: KeyCredential,
  { rooms = key.rooms, validUntil = key.validUntil }: ChangeInput['body'],
): KeyCredential {
  return action === 'revoke' ? { ...key, state: 'revoked' } : { ...key, rooms, validUntil }
}

function keyOf(body: Issue): KeyCredential {
  const { propertyId, reservationId, rooms, kind, validFrom, validUntil, requestId } = body
  return {
    propertyId,
    reservationId,
    rooms,
    kind,
    validFrom,
    validUntil,
    requestId,
    keyId: newId('key'),
    state: 'pending',
    vendor: 'ttlock',
    version: 1,
    updatedAt: validFrom,
  }
}

function rejection(status: number, name: string): UpstreamRejection {
  return new UpstreamRejection('lock', status, { code: `MELMASTOON.LOCK.${name}` })
}
