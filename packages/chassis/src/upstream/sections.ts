import { isProblem } from '@melmastoon/domain'

/**
 * A part of a composed page. One late part never delays the page: the part gets a status, and the
 * page is sent.
 */
export type Section<T> =
  | { status: 'ok'; value: T }
  | { status: 'late'; value: undefined }
  | { status: 'failed'; value: undefined }

export type Sections<P extends Record<string, Promise<unknown>>> = {
  [K in keyof P]: Section<Awaited<P[K]>>
}

/** Receives the error of every section that failed or was late. */
export type ReportSection = (section: string, error: unknown) => void

const LATE = new Set<string>([
  'MELMASTOON.BFF.UPSTREAM_TIMEOUT',
  'MELMASTOON.GENERAL.DEADLINE_EXCEEDED',
])

export async function settleSections<P extends Record<string, Promise<unknown>>>(
  parts: P,
  report: ReportSection,
): Promise<Sections<P>> {
  const names = Object.keys(parts)
  const settled = await Promise.allSettled(Object.values(parts))
  const sections = settled.map((result, index) => {
    const name = names[index] ?? ''
    if (result.status === 'rejected') report(name, result.reason)
    return [name, sectionOf(result)]
  })
  return Object.fromEntries(sections) as Sections<P>
}

function sectionOf(result: PromiseSettledResult<unknown>): Section<unknown> {
  if (result.status === 'fulfilled') return { status: 'ok', value: result.value }
  const late = isProblem(result.reason) && LATE.has(result.reason.code)
  return { status: late ? 'late' : 'failed', value: undefined }
}
