import type { FastResponder, FastRoutes } from '@melmastoon/chassis/http'
import type { BookingContext } from '../../context.ts'
import { SHARED_API_PATH } from '../../site/site.ts'
import { TENANT_SLUG } from '../request-site.ts'
import { createAdmission } from './fast-guest.ts'
import { readyAvailability } from './ready-availability.ts'
import { readyBootstrap } from './ready-bootstrap.ts'

/** The routes whose responses are often ready, at both addresses of a site (D24). */
export function fastRoutes(ctx: BookingContext): FastRoutes {
  const admit = createAdmission(ctx)
  return {
    ...atBoth('/availability', readyAvailability(ctx, admit)),
    ...atBoth('/bootstrap', readyBootstrap(ctx, admit)),
  }
}

function atBoth(path: string, respond: FastResponder): FastRoutes {
  return {
    [`GET ${SHARED_API_PATH}/:${TENANT_SLUG}${path}`]: respond,
    [`GET /api${path}`]: respond,
  }
}
