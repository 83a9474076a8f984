import { type BookingContext, bookingService } from '@melmastoon/bff-tenant-booking-service'
import { createService } from '@melmastoon/chassis/service'
import { serveCommands } from '../../harness/serve-commands.ts'
import { withoutKeys } from './without-keys.ts'

/** All limits are checked for every request, but high enough for one address. */
const endless = (name: string) => ({ name, limit: 100_000_000, periodSeconds: 1 })
const policies = {
  read: endless('read'),
  change: endless('change'),
  address: endless('address'),
  tenant: endless('tenant'),
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
