import { expect, it } from 'vitest'
import { memoizePlans } from './plan-page.ts'

const HOUR_MS = 3_600_000
const PERSIAN = { locale: 'fa-AF', currency: 'AFN' } as const
const ENGLISH = { locale: 'en', currency: 'AFN' } as const

it('plans once for each body, language, currency and hour', () => {
  let plans = 0
  const planned = memoizePlans((_body: object, { locale }) => {
    plans += 1
    return `${plans} ${locale}`
  })
  const [body, equal] = [Object.freeze({ city: 'kabul' }), Object.freeze({ city: 'kabul' })]
  const first = planned(body, PERSIAN, 0)
  expect(planned(body, PERSIAN, HOUR_MS - 1)).toBe(first)
  expect(planned(body, ENGLISH, 0)).toBe('2 en')
  expect(planned(equal, PERSIAN, 0)).toBe('3 fa-AF')
  expect(planned(body, PERSIAN, HOUR_MS)).toBe('4 fa-AF')
})

it('drops the plans of one body with too many languages and currencies', () => {
  const planned = memoizePlans((_body: object, { currency }) => ({ currency }))
  const body = Object.freeze({})
  const plan = (currency: string) => planned(body, { locale: 'en', currency: currency as 'AFN' }, 0)
  const first = plan('AFN')
  expect(plan('AFN')).toBe(first)
  for (let at = 0; at < 8; at += 1) expect(plan(`X${at}`)).toEqual({ currency: `X${at}` })
  expect(plan('AFN')).toEqual(first)
  expect(plan('AFN')).not.toBe(first)
})

it('caches no error: the same body may be valid an hour later, and invalid again', () => {
  const planned = memoizePlans((_body: object, _preferences, now: Date) => {
    if (now.getTime() < HOUR_MS) throw new Error('too early')
    return 'planned'
  })
  const body = Object.freeze({})
  expect(() => planned(body, ENGLISH, 0)).toThrow('too early')
  expect(planned(body, ENGLISH, HOUR_MS)).toBe('planned')
  expect(() => planned(body, ENGLISH, 0)).toThrow('too early')
})
