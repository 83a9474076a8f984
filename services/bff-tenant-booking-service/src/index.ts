export { type BookingConfig, bookingConfig } from './config.ts'
export type { BookingContext, ContextOverrides } from './context.ts'
export { service as bookingService } from './service.ts'
