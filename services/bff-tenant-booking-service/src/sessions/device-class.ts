import type { Static } from 'typebox'
import type { BookingSessionData } from './booking-session.ts'

export type DeviceClass = Static<typeof BookingSessionData>['deviceClass']

const IOS = /\b(iPhone|iPad|iPod|iOS)\b/i
const ANDROID = /\bAndroid\b/i
const MOBILE = /\bMobi/i

/** `surface` is `X-Client-Surface`: the app of the platform, or a browser. */
export function deviceClassOf(userAgent: string, surface: string | undefined): DeviceClass {
  if (surface === 'mobile-tenant')
    return IOS.test(userAgent) ? 'mobile-app-ios' : 'mobile-app-android'
  const isMobile = MOBILE.test(userAgent) || IOS.test(userAgent) || ANDROID.test(userAgent)
  return isMobile ? 'browser-mobile' : 'browser-desktop'
}
