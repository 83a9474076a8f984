import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMetrics } from '@melmastoon/chassis/telemetry'
import { newId } from '@melmastoon/domain'
import type { Operator } from '../../src/access/operator.ts'
import { createStreams } from '../../src/streams/create-streams.ts'
import type { StreamControls } from '../../src/streams/stream-limits.ts'
import type { Streams } from '../../src/streams/streams.ts'
import type { BackofficeWithFakes } from '../harness/start-with-fakes.ts'
import { type StreamOptions, TestStream } from '../harness/test-stream.ts'
import type { StreamFixture } from './stream-fixture.ts'

interface BareControls extends StreamControls {
  /** True: operators are compared with their records. */
  readonly checksScope?: boolean
}

/**
 * The streams of a further process without the rest of the service: requests are not authenticated.
 * It starts in milliseconds, so that each safeguard can be switched off.
 */
export class BareStreams implements AsyncDisposable {
  readonly streams: Streams
  readonly #operators = new Map<string, Operator>()
  readonly #server: Server

  private constructor(
    running: BackofficeWithFakes,
    { checksScope = false, ...controls }: BareControls,
  ) {
    const { sessionRedis, keys, clock, errors, access: real } = running.service.ctx
    // Most of its operators exist nowhere else.
    const access = checksScope ? real : { ...real, isAllowedNow: async () => true }
    const deps = { sessionRedis, keys, clock, errors, access, metrics: createMetrics('bare') }
    this.streams = createStreams(deps, controls)
    this.#server = createServer((request, response) => {
      const operator = this.#operators.get(request.url?.slice(1) ?? '')
      if (operator === undefined) return void response.writeHead(404).end()
      const lastEventId = request.headers['last-event-id']
      const start = () => response.writeHead(200, { 'content-type': 'text/event-stream' })
      void this.streams.open(operator, { lastEventId: lastEventId?.toString(), start })
    })
  }

  static async start(running: BackofficeWithFakes, controls: BareControls = {}) {
    const bare = new BareStreams(running, controls)
    bare.#server.listen(0, '127.0.0.1')
    await once(bare.#server, 'listening')
    return bare
  }

  urlOf(operator: Operator): string {
    this.#operators.set(operator.deviceId, operator)
    const { port } = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${port}/${operator.deviceId}`
  }

  async open(operator: Operator, options: StreamOptions = {}): Promise<TestStream> {
    const { lastEventId } = options
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
    const sent = get(this.urlOf(operator), { agent: false, headers })
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return await TestStream.read(response, options)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.streams[Symbol.asyncDispose]()
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** At the desk of the fixture's property. */
export function operatorOf({
  tenantId,
  propertyId,
}: Pick<StreamFixture, 'tenantId' | 'propertyId'>): Operator {
  return {
    tenantId,
    operatorId: newId('opr'),
    deviceId: newId('dev'),
    sessionId: newId('bos'),
    jkt: '',
    roles: ['front_desk'],
    isLead: false,
    properties: new Set([propertyId]),
    tokenExpiresAt: new Date(Date.now() + 900_000),
  }
}
