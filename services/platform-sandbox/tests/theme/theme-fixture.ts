import { newId } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import { themeContract } from '@melmastoon/upstream-contracts/theme'
import { deriveTheme } from '../../src/modules/theme/derive-theme.ts'
import { clientFor } from '../start-sandbox.ts'
import { makeTenant } from '../tenant/tenant-fixture.ts'

type Draft = InputOf<(typeof themeContract.operations)['createVersion']>['body']

export function draftOf(hue: number): Draft {
  return {
    brandName: { default: 'Hotel', localized: { 'fa-AF': 'هوتل' } },
    tagline: { default: 'Rest well' },
    layoutPreset: 'quiet',
    tokens: deriveTheme({ hue, radiusPx: 6 }),
    flow: { optionalFields: ['phone'], paymentRails: ['cash_on_arrival'] },
  }
}

/** A tenant with this many versions of a theme, none of them published. */
export async function makeTheme(url: string, versions: number) {
  const client = clientFor(themeContract, url)
  const { own, params } = await makeTenant(url)
  for (let version = 1; version <= versions; version += 1) {
    await client.createVersion({ params, body: draftOf(version * 40) }, own())
  }
  const publish = (version: number, idempotencyKey: string = newId('req')) =>
    client.publishVersion(
      { params: { ...params, version }, body: {} },
      { ...own(), idempotencyKey },
    )
  return { own, params, publish }
}
