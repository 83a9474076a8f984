import { describe, expect, it } from 'vitest'
import { ApiProblem } from './api-problem.ts'
import { formatMessage } from './format-message.ts'
import { MessageCatalogue } from './message-catalogue.ts'

const NEWER = { userMessageKey: 'errors.newer' }
const INTERNAL = formatMessage('errors.general.internal', 'fa-AF')

/** Responds like `GET /messages/{locale}` of a service whose texts can change. */
function catalogueOf(state: { text: string; etag: string; status?: number }) {
  const requests: { url: string; etag: string | null }[] = []
  const catalogue = new MessageCatalogue({
    apiUrl: 'http://hotel.test/v1/',
    locale: 'prs',
    retries: 0,
    fetch({ url, headers: sent }) {
      requests.push({ url, etag: sent.get('if-none-match') })
      const headers = { etag: state.etag }
      const isKnown = sent.get('if-none-match') === state.etag
      if (isKnown) return Promise.resolve(new Response(null, { status: 304, headers }))
      const messages = { 'errors.newer': state.text, 'labels.board.breakfast': state.text }
      const body = JSON.stringify({ messages })
      return Promise.resolve(new Response(body, { status: state.status ?? 200, headers }))
    },
  })
  return { catalogue, requests }
}

describe('C21 the message catalogue', () => {
  it('C21 has the texts of the package until it has those of the service', async () => {
    const { catalogue, requests } = catalogueOf({ text: 'تازه', etag: '"1"' })
    expect(catalogue).toMatchObject({ locale: 'fa-AF', direction: 'rtl' })
    expect(catalogue.format(NEWER)).toBe(INTERNAL)
    expect(await catalogue.refresh()).toBe(true)
    expect(catalogue.format(NEWER)).toBe('تازه')
    expect(requests).toEqual([{ url: 'http://hotel.test/v1/messages/fa-AF', etag: null }])
  })

  it('C21 transfers unchanged texts once', async () => {
    const state = { text: 'one', etag: '"1"' }
    const { catalogue, requests } = catalogueOf(state)
    expect([await catalogue.refresh(), await catalogue.refresh()]).toEqual([true, false])
    expect(catalogue.format(NEWER)).toBe('one')
    Object.assign(state, { text: 'two', etag: '"2"' })
    expect(await catalogue.refresh()).toBe(true)
    expect(catalogue.format(NEWER)).toBe('two')
    expect(requests.map(({ etag }) => etag)).toEqual([null, '"1"', '"1"'])
  })

  it('C21 keeps its texts when the service fails', async () => {
    const state = { text: 'one', etag: '"1"', status: 200 }
    const { catalogue } = catalogueOf(state)
    await catalogue.refresh()
    Object.assign(state, { text: 'two', etag: '"2"', status: 503 })
    await expect(catalogue.refresh()).rejects.toBeInstanceOf(ApiProblem)
    expect(catalogue.format(NEWER)).toBe('one')
  })
})

describe('C21 the labels of a catalogue', () => {
  it('C21 are those of the package until it has those of the service', async () => {
    const { catalogue } = catalogueOf({ text: 'تازه', etag: '"1"' })
    expect(catalogue.label('labels.board.breakfast')).toBe('با صبحانه')
    await catalogue.refresh()
    expect(catalogue.label('labels.board.breakfast')).toBe('تازه')
    expect(catalogue.label('labels.bed.single', { count: 2 })).toBe('۲ تخت یک‌نفره')
    expect(catalogue.label('labels.bed.single')).toBe('تخت یک‌نفره')
  })
})

describe('C21 formatMessage', () => {
  it('C21 formats a key with its arguments, in the language that matches', () => {
    expect(formatMessage('errors.general.rate_limited', 'en', { retryAfter: 1 })).toBe(
      'You have sent too many requests. Please try again in 1 second.',
    )
    expect(formatMessage('errors.general.internal', 'prs-AF')).toBe(INTERNAL)
    expect(formatMessage('labels.unavailable.min_nights', 'en', { count: 2 })).toBe(
      'At least 2 nights are required',
    )
    expect(formatMessage('labels.unavailable.min_nights', 'ps')).toBe('اوږده استوګنه لازمه ده')
    expect(formatMessage('errors.general.internal', 'de')).toBe(
      formatMessage('errors.general.internal', 'en'),
    )
  })

  it('C21 returns a value of a later version as it is', () => {
    const later = 'labels.board.brunch' as 'labels.board.breakfast'
    expect(formatMessage(later, 'ps')).toBe('brunch')
    expect(new MessageCatalogue({ apiUrl: 'http://hotel.test', locale: 'ps' }).label(later)).toBe(
      'brunch',
    )
  })
})
