import { PreferenceChooser } from '@melmastoon/bff/preferences'

/** With the problem codes of this service. */
export const guestPreferences = new PreferenceChooser({
  locale: 'MELMASTOON.BFF.CONSUMER.LOCALE_NOT_SUPPORTED',
  currency: 'MELMASTOON.BFF.CONSUMER.CURRENCY_NOT_SUPPORTED',
})
