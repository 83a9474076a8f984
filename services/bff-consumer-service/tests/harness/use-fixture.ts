import { createTestClock } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Fixture, get, startFixture } from './start-consumer.ts'

/**
 * One fixture for the tests of a file, with a test clock. Before each test its upstreams are
 * healthy, and their requests are counted from zero.
 */
export function useFixture() {
  const clock = createTestClock(new Date())
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await startFixture({ clock })
    fixture.upstreams.capturedAt = () => clock.now().toISOString()
  })
  afterAll(() => fixture[Symbol.asyncDispose]())
  beforeEach(() => {
    fixture.upstreams.reset()
    fixture.upstreams.requests.length = 0
  })
  return {
    clock,
    get upstreams() {
      return fixture.upstreams
    },
    get service() {
      return fixture.service
    },
    get environment() {
      return fixture.environment
    },
    getPath: (path: string, headers?: Readonly<Record<string, string>>) =>
      get(fixture.service.url, path, headers),
    hotelId: (at = 0) => fixture.upstreams.hotels[at]?.propertyId ?? '',
  }
}
