export { messageExamples } from './message-catalogue.ts'
export { type MessageRoute, RELEASE_CACHING, serveMessages } from './serve-messages.ts'
