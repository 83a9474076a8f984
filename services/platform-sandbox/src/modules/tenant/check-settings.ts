import { type FieldError, isTimeZone, problem } from '@melmastoon/domain'
import type { TenantSettings } from '@melmastoon/upstream-contracts/tenant'

/** Constraints between settings, which a schema cannot express. */
export function checkSettings(settings: TenantSettings, pointer: string): void {
  const errors: FieldError[] = []
  const addError = (name: keyof TenantSettings, code: string, detail: string) =>
    errors.push({ pointer: `${pointer}/${name}`, code, detail })
  if (!isTimeZone(settings.timeZone)) addError('timeZone', 'unknown', 'is not an IANA time zone')
  if (!settings.locales.includes(settings.defaultLocale)) {
    addError('defaultLocale', 'not_offered', 'must be one of the locales')
  }
  if (!settings.currencies.includes(settings.primaryCurrency)) {
    addError('primaryCurrency', 'not_offered', 'must be one of the currencies')
  }
  if (settings.paymentEnabled && settings.paymentMethods.length === 0) {
    addError('paymentMethods', 'empty', 'must not be empty while payment is enabled')
  }
  if (errors.length > 0) throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}
