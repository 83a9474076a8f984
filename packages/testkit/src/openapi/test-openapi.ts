import type { ServiceContracts } from '@melmastoon/chassis/service'
import { beforeAll, describe, expect, it } from 'vitest'
import { type DocumentedBody, type DocumentedOperation, readOperations } from './read-operations.ts'

const namesOf = (found: readonly DocumentedBody[]) => found.map(({ name }) => name)
const isJson = ({ mediaType }: DocumentedBody) => mediaType === 'application/json'

/** The tests of a complete OpenAPI document: named schemas, and examples that they accept. */
export function testOpenApi(contracts: Pick<ServiceContracts, 'openApi'>): void {
  describe('P14 the OpenAPI document', () => {
    let operations: DocumentedOperation[]
    let bodies: DocumentedBody[]
    beforeAll(async () => {
      operations = readOperations(await contracts.openApi())
      bodies = operations.flatMap(({ request, responses }) =>
        request === undefined ? responses : [request, ...responses],
      )
    })

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
      expect(operations.flatMap(missingParameters)).toEqual([])
    })

    it('lists the problem codes of every operation', () => {
      const without = operations.filter(({ problems }) =>
        problems.every(({ examples }) => examples.length === 0),
      )
      expect(without.map(({ id }) => id)).toEqual([])
    })
  })
}

function missingParameters({ id, path, parameters }: DocumentedOperation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => parameters[name] === undefined)
    .map((name) => `${id} ${name}`)
}
