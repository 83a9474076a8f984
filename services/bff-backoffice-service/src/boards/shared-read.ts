import type { CachedBytes, DefinedCache, GetRequest, LoadResult } from '@melmastoon/chassis/cache'
import { createDeadline, type Deadline } from '@melmastoon/chassis/clock'

/** The requests that wait for one load. */
interface Interest {
  count: number
  readonly controller: AbortController
}

export interface SharedRead<D extends string> {
  readonly dims: GetRequest<D>['dims']
  readonly tags: readonly string[]
  readonly deadline: Deadline
  /** False: for this process only. */
  readonly isShared?: boolean
  /** The deadline also ends when nobody waits any more. */
  readonly load: (deadline: Deadline) => Promise<LoadResult>
}

const interests = new Map<string, Interest>()

/**
 * Reads through a cache whose load is shared, and stops the load as soon as every request that
 * waits for it has ended: a client that disconnects causes no further upstream calls.
 */
export async function sharedRead<D extends string>(
  cache: DefinedCache<D>,
  { dims, tags, deadline, isShared = true, load }: SharedRead<D>,
): Promise<CachedBytes> {
  const peeked = cache.peek(dims, tags)
  if (peeked !== undefined) return peeked
  const name = `${cache.name}|${JSON.stringify(dims)}`
  const interest = join(name)
  const leave = () => {
    if (!isTimeout(deadline.signal.reason)) leaveInterest(name, interest)
  }
  deadline.signal.addEventListener('abort', leave, { once: true })
  try {
    return await cache.get({
      dims,
      tags,
      deadline,
      isShared,
      load: (_signal, loadDeadline) => loadFor(interest, loadDeadline, load),
    })
  } catch (error) {
    // The load of others, who all left just now: it is started again for this request.
    if (!interest.controller.signal.aborted || deadline.signal.aborted) throw error
    const again = { dims, tags, deadline, isShared }
    return await cache.get({ ...again, load: (_signal, own) => load(own) })
  } finally {
    deadline.signal.removeEventListener('abort', leave)
    release(name, interest)
  }
}

async function loadFor(
  { controller }: Interest,
  loadDeadline: Deadline,
  load: (deadline: Deadline) => Promise<LoadResult>,
): Promise<LoadResult> {
  using deadline = createDeadline(loadDeadline.remainingMs(), { parent: controller.signal })
  return await load(deadline)
}

function join(name: string): Interest {
  const known = interests.get(name)
  if (known !== undefined) {
    known.count += 1
    return known
  }
  const interest = { count: 1, controller: new AbortController() }
  interests.set(name, interest)
  return interest
}

function leaveInterest(name: string, interest: Interest): void {
  interest.count -= 1
  if (interest.count > 0) return
  interests.delete(name)
  interest.controller.abort(new DOMException('no request waits for it', 'AbortError'))
}

/** A request that waits no longer leaves the load running: the next one finds its result. */
function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

/** After the result: all who waited have it, or find it in the cache. */
function release(name: string, interest: Interest): void {
  if (interests.get(name) === interest) interests.delete(name)
}
