import { newId } from '@melmastoon/domain'
import { expect, it } from 'vitest'
import { themeContract } from '../theme/contract.ts'
import { closeResponse, findSchemaError } from './validate-response.ts'

const { response } = themeContract.operations.peekBrands
const peek = {
  tenantId: newId('tnt'),
  primaryColor: '#004433',
  logoUrl: '/logo.svg',
  brandName: { default: 'Hotel', localized: { 'ps-AF': 'هوټل' } },
  version: 1,
}

it('accepts the fields of the contract in any language', () => {
  expect(findSchemaError(closeResponse(response), { peeks: [peek] })).toBeNull()
})

it('rejects an additional member at any depth, which callers accept', () => {
  const brandName = { ...peek.brandName, secret: 1 }
  for (const body of [{ peeks: [], more: 1 }, { peeks: [{ ...peek, brandName }] }]) {
    expect(findSchemaError(response, body)).toBeNull()
    expect(findSchemaError(closeResponse(response), body)).toMatch(/additional properties/)
  }
})

it('reports where a value violates the contract', () => {
  const body = { peeks: [{ ...peek, primaryColor: 'red' }] }
  expect(findSchemaError(closeResponse(response), body)).toMatch(
    /^\/peeks\/0\/primaryColor must match/,
  )
})
