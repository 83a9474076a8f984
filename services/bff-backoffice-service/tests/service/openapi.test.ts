import { type DocumentedBody, type DocumentedOperation, readOperations } from '@melmastoon/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { contracts } from '../harness/backoffice-environment.ts'

let operations: DocumentedOperation[]
let bodies: DocumentedBody[]
beforeAll(async () => {
  operations = readOperations(await contracts.openApi())
  bodies = operations.flatMap(({ request, responses }) =>
    request === undefined ? responses : [request, ...responses],
  )
})

const namesOf = (found: readonly DocumentedBody[]) => found.map(({ name }) => name)
const isJson = ({ mediaType }: DocumentedBody) => mediaType === 'application/json'

describe('P14 the OpenAPI document', () => {
  it('names the schema of every JSON body', () => {
    expect(bodies.length).toBeGreaterThan(operations.length)
    expect(namesOf(bodies.filter((body) => isJson(body) && !body.isNamed))).toEqual([])
  })

  it('has an example of every request and every successful response', () => {
    expect(namesOf(bodies.filter(({ examples }) => examples.length === 0))).toEqual([])
  })

  it('has examples that its own schemas accept, also for problems', () => {
    const problems = operations.flatMap((operation) => operation.problems)
    const faults = [...bodies, ...problems].flatMap((body) =>
      body.faults().map((fault) => `${body.name}: ${fault}`),
    )
    expect(faults).toEqual([])
  })

  it('has an example of every required parameter', () => {
    const missing = operations.flatMap(({ id, path, parameters }) =>
      [...path.matchAll(/\{(\w+)\}/g)]
        .map(([, name = '']) => name)
        .filter((name) => parameters[name] === undefined)
        .map((name) => `${id} ${name}`),
    )
    expect(missing).toEqual([])
  })

  it('lists the problem codes of every operation', () => {
    const without = operations.filter(({ problems }) =>
      problems.every(({ examples }) => examples.length === 0),
    )
    expect(without.map(({ id }) => id)).toEqual([])
  })
})
