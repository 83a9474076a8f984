import { newId } from '@melmastoon/domain'
import { expect, it } from 'vitest'
import { themeContract } from '../theme/contract.ts'
import { closeResponse, findFault } from './validate-response.ts'

const { response } = themeContract.operations.peekBrands
const peek = {
  tenantId: newId('tnt'),
  primaryColor: '#004433',
  logoUrl: '/logo.svg',
  brandName: { default: 'Hotel', localized: { 'ps-AF': 'هوټل' } },
  version: 1,
}

it('bears what the contract names, in any language', () => {
  expect(findFault(closeResponse(response), { peeks: [peek] })).toBeNull()
})

it('does not bear a member too many, however deep, which callers do', () => {
  const brandName = { ...peek.brandName, secret: 1 }
  for (const answer of [{ peeks: [], more: 1 }, { peeks: [{ ...peek, brandName }] }]) {
    expect(findFault(response, answer)).toBeNull()
    expect(findFault(closeResponse(response), answer)).toMatch(/additional properties/)
  }
})

it('says where a value is not what the contract says', () => {
  const answer = { peeks: [{ ...peek, primaryColor: 'red' }] }
  expect(findFault(closeResponse(response), answer)).toMatch(/^\/peeks\/0\/primaryColor must match/)
})
