import { ApiProblem, type Client, createClient } from '@melmastoon/client/source'
import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { paths } from '../../contracts/openapi.d.ts'
import {
  createGuest,
  type ExampleEnvironment,
  exampleEnvironment,
  startExample,
} from './start-example.ts'

let environment: ExampleEnvironment
let service: Awaited<ReturnType<typeof startExample>>
let cookie: string
let api: Client<paths>
const tenantId = newId('tnt')

beforeAll(async () => {
  environment = await exampleEnvironment()
  service = await startExample(environment)
  cookie = (await createGuest(service.url)).cookie
  api = createClient<paths>({ baseUrl: service.url, headers: { cookie } })
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
})

const NOTES = '/example/v1/{tenantId}/notes'
const path = { tenantId }

describe('the typed client', () => {
  it('places a note and lists it', async () => {
    const placed = await api.POST(NOTES, { params: { path }, body: { text: 'مننه' } })
    const { noteId, text } = placed.data
    expect([placed.response.status, text]).toEqual([201, 'مننه'])
    const listed = await api.GET(NOTES, { params: { path, query: { limit: 20 } } })
    expect(listed.data.notes.map((note) => note.noteId)).toEqual([noteId])
  })

  it('retries after a lost response, and the note is placed once', async () => {
    const keys: (string | null)[] = []
    const unlucky = createClient<paths>({
      baseUrl: service.url,
      headers: { cookie },
      fetch: async (request) => {
        keys.push(request.headers.get('idempotency-key'))
        const response = await fetch(request)
        if (keys.length === 1) throw new TypeError('the connection was lost')
        return response
      },
    })
    const before = await environment.countRows('notes')
    const { response } = await unlucky.POST(NOTES, { params: { path }, body: { text: 'once' } })
    expect(response.headers.get('idempotent-replayed')).toBe('true')
    expect(keys).toEqual([keys[0], keys[0]])
    expect(await environment.countRows('notes')).toBe(before + 1)
  })

  it('throws the problem of the service', async () => {
    const rejected = await api
      .POST(NOTES, { params: { path }, body: { text: '' } })
      .catch((error: unknown) => error)
    expect(rejected).toBeInstanceOf(ApiProblem)
    expect(rejected).toMatchObject({
      status: 400,
      code: 'MELMASTOON.GENERAL.VALIDATION_FAILED',
      errors: [{ pointer: '/text' }],
      requestId: expect.stringMatching(/^req_/),
    })
  })
})
