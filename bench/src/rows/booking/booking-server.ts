import { type BookingContext, bookingService } from '@melmastoon/bff-tenant-booking-service'
import { createService } from '@melmastoon/chassis/service'
import { endlessLimit } from '../../harness/endless-limit.ts'
import { serveCommands } from '../../harness/serve-commands.ts'
import { withoutKeys } from './without-keys.ts'

const policies = {
  read: endlessLimit('read'),
  change: endlessLimit('change'),
  address: endlessLimit('address'),
  tenant: endlessLimit('tenant'),
}

const unkeyedService: typeof bookingService = {
  ...bookingService,
  createContext(base, overrides): BookingContext {
    const ctx = bookingService.createContext(base, overrides)
    return { ...ctx, idempotency: withoutKeys(ctx.idempotency) }
  },
}

async function start({ keyed }: { readonly keyed: boolean }): Promise<string> {
  const definition = keyed ? bookingService : unkeyedService
  const service = await createService(definition, process.env, { policies })
  const { url } = await service.start()
  return url
}

serveCommands({ start })
