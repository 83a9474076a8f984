import { problem, problemDocument } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { ApiProblem } from './api-problem.ts'
import { formatProblem } from './format-problem.ts'

const context = { instance: '/search', requestId: 'req_1', traceId: 'abc' }
const limited = (retryAfterSeconds: number) =>
  problemDocument(problem('MELMASTOON.GENERAL.RATE_LIMITED', { retryAfterSeconds }), context)

describe('C21 the text of a problem', () => {
  it.each([
    ['en', 1, 'You have sent too many requests. Please try again in 1 second.'],
    ['en-US', 30, 'You have sent too many requests. Please try again in 30 seconds.'],
    ['ps', 1, 'تاسو ډېرې غوښتنې لېږلې دي. مهرباني وکړئ ۱ ثانیه وروسته بیا هڅه وکړئ.'],
    ['ps-AF', 30, 'تاسو ډېرې غوښتنې لېږلې دي. مهرباني وکړئ ۳۰ ثانیې وروسته بیا هڅه وکړئ.'],
    ['fa', 30, 'شما درخواست‌های زیادی فرستاده‌اید. لطفاً ۳۰ ثانیه بعد دوباره کوشش کنید.'],
    ['prs-AF', 0, 'شما درخواست‌های زیادی فرستاده‌اید. لطفاً کمی بعد دوباره کوشش کنید.'],
    ['de', 30, 'You have sent too many requests. Please try again in 30 seconds.'],
  ])('C21 %s, %d seconds', (locale, seconds, text) => {
    expect(formatProblem(limited(seconds), locale)).toBe(text)
  })

  it('C21 is the same for an ApiProblem', () => {
    const received = new ApiProblem(limited(30), { status: 429, idempotencyKey: null })
    expect(formatProblem(received, 'fa')).toBe(formatProblem(limited(30), 'fa'))
  })

  it('C21 counts minutes and errors', () => {
    const locked = problem('MELMASTOON.IAM.MFA_LOCKED', { retryAfterSeconds: 61 })
    expect(formatProblem(problemDocument(locked, context), 'en')).toBe(
      'Too many wrong codes. Please wait 2 minutes.',
    )
    const errors = [{ pointer: '/dates', code: 'format', detail: 'must be a date' }]
    const invalid = problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
    expect(formatProblem(problemDocument(invalid, context), 'en')).toBe(
      'One entry is not valid. Please check it.',
    )
  })

  it('C21 an unknown key has the text of an internal error, unless the service has sent one', () => {
    const newer = { userMessageKey: 'errors.newer' }
    const unexplained = new ApiProblem({}, { status: 502, idempotencyKey: null })
    expect(formatProblem(newer, 'en')).toBe(formatProblem(unexplained, 'en'))
    expect(formatProblem({ userMessageKey: 'toString' }, 'en')).toBe(formatProblem(newer, 'en'))
    expect(formatProblem(newer, 'en', { 'errors.newer': 'Newer.' })).toBe('Newer.')
  })
})
