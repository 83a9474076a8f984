import { hash } from 'node:crypto'
import { derivedKey, equalText } from '@melmastoon/security'
import type { PageLinks } from './payment-host.ts'

/**
 * The secret of a link is derived from the payment and a key of this service. A link can therefore
 * be issued again, while the database stores only a hash.
 */
export function createPageLinks(publicUrl: string, key: string): PageLinks {
  const secretOf: PageLinks['secretOf'] = (id) => derivedKey(key, 'payment-page', id)
  return {
    secretOf,
    urlOf({ tenantId, paymentIntentId, locale }) {
      const url = new URL(`/pay/${tenantId}/${paymentIntentId}`, publicUrl)
      url.searchParams.set('cs', secretOf(paymentIntentId))
      url.searchParams.set('lang', locale)
      return url.href
    },
  }
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

export function isSecretOf(secret: string, secretHash: string): boolean {
  return equalText(hashSecret(secret), secretHash)
}
