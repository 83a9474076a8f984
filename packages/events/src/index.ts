export { type AsyncApiInfo, toAsyncApi } from './asyncapi.ts'
export { checkedContract } from './contract-hash.ts'
export { defineEvent, type EventDefinition } from './definition.ts'
export {
  EventEnvelope,
  type EventMessage,
  MarketingAttribution,
  RETENTION_CLASSES,
  type RetentionClass,
} from './envelope.ts'
export { EVENT_MAX_BYTES } from './event-text.ts'
export { findPersonalData, SAFE_FIELDS } from './pii.ts'
export {
  createRegistry,
  type EventContext,
  type EventRegistry,
  type OutboxEvent,
  type StaffContext,
} from './registry.ts'
export { diffSnapshots, type RegistrySnapshot, snapshotRegistry } from './registry-snapshot.ts'
export { isSampled } from './sampling.ts'
export { diffSchemas } from './schema-diff.ts'
export { parseSubject, type SubjectParts, schemaUriOf } from './subject.ts'
