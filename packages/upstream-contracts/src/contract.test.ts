import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { CONTRACTS } from './conformance/contracts.ts'
import { type Contract, defineContract, type Operation, readsOf } from './contract.ts'

const READ: Operation = {
  method: 'GET',
  path: '/things/:thingId',
  summary: 'One thing',
  params: Type.Object({ thingId: Type.String() }),
  response: Type.Object({}),
  errorCodes: [],
}

const define = (operation: Operation) =>
  defineContract({ upstream: 'tenant', basePath: '/api/v1', operations: { read: operation } })

describe('a contract', () => {
  it('is rejected when path and params differ', () => {
    expect(() => define({ ...READ, path: '/things/:otherId' })).toThrow('tenant.read')
    const { params: _none, ...withoutParams } = READ
    expect(() => define(withoutParams)).toThrow('the path and its params differ')
  })

  it('is rejected when a read requires an idempotency key', () => {
    expect(() => define({ ...READ, idempotent: true })).toThrow('needs no idempotency key')
  })

  it.each(['PUT', 'PATCH', 'DELETE'] as const)('is rejected when %s has no key', (method) => {
    expect(() => define({ ...READ, method })).toThrow('needs an idempotency key')
    expect(define({ ...READ, method, idempotent: true }).operations.read.method).toBe(method)
  })

  it('is accepted when path and params agree', () => {
    expect(define(READ).operations.read).toBe(READ)
  })

  it.each(Object.values<Contract>(CONTRACTS))(
    'the reads of $upstream are the operations without an idempotency key',
    (contract) => {
      const reads = Object.values<Operation>(readsOf(contract).operations)
      const all = Object.values<Operation>(contract.operations)
      expect(reads).toEqual(all.filter(({ idempotent }) => idempotent !== true))
    },
  )

  it.each(Object.values<Contract>(CONTRACTS))(
    'no two operations of $upstream have the same method and path',
    ({ operations }) => {
      const routes = Object.values<Operation>(operations).map(
        ({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`,
      )
      expect(new Set(routes).size).toBe(routes.length)
    },
  )
})
