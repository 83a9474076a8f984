import { type FieldError, isTimeZone, problem } from '@melmastoon/domain'
import type { TenantSettings } from '@melmastoon/upstream-contracts/tenant'

/** What a schema cannot say: how the settings must fit each other. */
export function checkSettings(settings: TenantSettings, pointer: string): void {
  const errors: FieldError[] = []
  const refuse = (name: keyof TenantSettings, code: string, detail: string) =>
    errors.push({ pointer: `${pointer}/${name}`, code, detail })
  if (!isTimeZone(settings.timeZone)) refuse('timeZone', 'unknown', 'is not an IANA time zone')
  if (!settings.locales.includes(settings.defaultLocale)) {
    refuse('defaultLocale', 'not_offered', 'must be one of the locales')
  }
  if (!settings.currencies.includes(settings.primaryCurrency)) {
    refuse('primaryCurrency', 'not_offered', 'must be one of the currencies')
  }
  if (settings.paymentEnabled && settings.paymentMethods.length === 0) {
    refuse('paymentMethods', 'empty', 'must not be empty while payment is enabled')
  }
  if (errors.length > 0) throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}
