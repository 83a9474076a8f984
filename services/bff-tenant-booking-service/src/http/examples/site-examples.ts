import { messageExamples } from '@melmastoon/bff/languages'
import type { OperationExamples } from '@melmastoon/chassis/http'
import {
  DIGEST,
  OCCUPANCY,
  PROPERTY_ID,
  ROOM_TYPE_ID,
  STAY,
  TENANT_ID,
  TOTAL,
} from './example-stay.ts'

/** The payload and its MAC, both shortened: docs/handoff-token.md. */
const TOKEN = 'djMKYmhkXzAxTTdIVDA4MDJKMEpCV01IVlRBRkRROUdX….4pXkq1Zt…'

const BOOTSTRAP = {
  tenantId: TENANT_ID,
  tenantSlug: 'creek-pearl',
  brandName: 'Creek Pearl',
  brandTagline: 'Old Dubai, new mornings',
  timeZone: 'Asia/Dubai',
  checkInTime: '14:00',
  checkOutTime: '11:00',
  theme: {
    layoutPreset: 'gallery-first',
    tokens: {
      light: {
        primary: '#4662b9',
        onPrimary: '#ffffff',
        surface: '#fafcff',
        onSurface: '#1b1f29',
        muted: '#6a6f7b',
        accent: '#c36d19',
        onAccent: '#000000',
        danger: '#c22826',
        onDanger: '#ffffff',
        border: '#8d929f',
      },
      dark: {
        primary: '#8aa8f7',
        onPrimary: '#000000',
        surface: '#111419',
        onSurface: '#ebeef5',
        muted: '#7b808d',
        accent: '#dc9154',
        onAccent: '#000000',
        danger: '#f27166',
        onDanger: '#000000',
        border: '#5d626e',
      },
      typography: {
        latin: 'Inter',
        arabic: 'Vazirmatn',
        scaleRatio: 1.2,
      },
      radiusPx: 18,
      spacingPx: 8,
      motionMs: 160,
    },
    logoUrl: 'https://media.example.com/logos/tnt_01JGFJJZ007BWH85T2P5075HP0.svg',
    locale: 'en',
    direction: 'ltr',
    currency: 'AED',
  },
  flowConfig: {
    steps: ['rooms', 'rates', 'details', 'payment', 'confirmation'],
    optionalFields: ['phone', 'arrival-time', 'special-requests'],
    paymentRails: ['card', 'cash_on_arrival'],
  },
  locales: [
    {
      tag: 'en',
      displayName: 'English',
      direction: 'ltr',
      isRtl: false,
      isDefault: true,
    },
    {
      tag: 'ps-AF',
      displayName: 'پښتو',
      direction: 'rtl',
      isRtl: true,
      isDefault: false,
    },
  ],
  currencies: [
    {
      code: 'AED',
      symbol: 'AED',
      decimalPlaces: 2,
      isPrimary: true,
    },
    {
      code: 'USD',
      symbol: '$',
      decimalPlaces: 2,
      isPrimary: false,
    },
  ],
  paymentMethods: [
    {
      method: 'card',
      guestAction: 'redirect',
    },
    {
      method: 'cash_on_arrival',
      guestAction: 'none',
    },
  ],
  hotels: [
    {
      propertyId: PROPERTY_ID,
      name: 'Creek Pearl Hotel Deira',
    },
  ],
  policies: [
    {
      kind: 'privacy',
      propertyId: null,
      text: 'We store your name and contact details only for your stay and as required by law.',
    },
  ],
  composedAt: '2026-11-16T02:40:24.753Z',
  composedFrom: {
    themeVersion: '1',
    tenantConfigVersion: '1',
  },
  degraded: false,
  sections: {
    tenant: {
      status: 'fresh',
      ageMs: 0,
    },
    theme: {
      status: 'fresh',
      ageMs: 0,
    },
    hotels: {
      status: 'fresh',
      ageMs: 0,
    },
  },
  handoffPayload: null,
  handoffArrivalId: null,
  serverTime: '2026-11-16T02:40:24.792Z',
  csp: {
    nonce: 'q83vEjRWeJCrze8SNFZ4kA',
  },
}

const POLICIES = {
  locale: 'en',
  policies: [
    {
      kind: 'privacy',
      propertyId: null,
      text: 'We store your name and contact details only for your stay and as required by law.',
    },
    {
      kind: 'cancellation',
      propertyId: PROPERTY_ID,
      text: 'Free until two days before arrival; later the whole stay is charged.',
    },
  ],
  degraded: false,
  sections: {
    tenant: {
      status: 'fresh',
      ageMs: 0,
    },
    hotels: {
      status: 'fresh',
      ageMs: 0,
    },
  },
}

const ARRIVAL = {
  handoffArrivalId: 'bha_01M7H3MABVHXKJWYBB7YY52MY4',
  consumedAt: '2026-11-16T02:40:24.792Z',
  payload: {
    propertyId: PROPERTY_ID,
    stay: STAY,
    occupancy: { ...OCCUPANCY, childrenAges: [] },
    currency: 'AED',
    locale: 'en',
    campaign: { source: 'newsletter' },
    roomTypeId: ROOM_TYPE_ID,
    ratePlanId: 'rate_1HNP6VNC6CH2DSDYPWE75PM240',
    digest: DIGEST,
    shownPrice: TOTAL,
  },
}

const PREFERENCES = {
  localePreference: 'ps-AF',
  displayCurrency: 'USD',
  consentFlags: { telemetry: false, functional: true },
}

/** Of the pages before a booking, and of the session. */
export const siteExamples = {
  'booking.bootstrap.get': {
    parameters: { locale: 'en', currency: 'AED' },
    responses: { 200: BOOTSTRAP },
  },
  'booking.message.list': messageExamples,
  'booking.policy.list': { parameters: { locale: 'en' }, responses: { 200: POLICIES } },
  'booking.handoff.consume': { body: { token: TOKEN }, responses: { 200: ARRIVAL } },
  'booking.locale.set': { body: { locale: 'ps-AF' }, responses: { 200: PREFERENCES } },
  'booking.currency.set': { body: { currency: 'USD' }, responses: { 200: PREFERENCES } },
  'booking.consent.set': { body: { telemetry: false }, responses: { 200: PREFERENCES } },
  'booking.key.read': {
    parameters: { key: 'b3c1d2e4-5f60-4a7b-8c9d-0e1f2a3b4c5d' },
    responses: { 200: { uses: [{ operation: 'booking.hold.place', status: 201 }] } },
  },
} as const satisfies Readonly<Record<string, OperationExamples>>
