export { type Catalogue, type CatalogueTable, readCatalogue } from './catalogue.ts'
export { dumpSchema } from './dump-schema.ts'
export { schemaDrift } from './schema-drift.ts'
export { sharedTables } from './shared-tables.ts'
export {
  type TenancyFinding,
  type TenancyOptions,
  tenancyFindings,
  tenantTablesOf,
} from './tenancy-findings.ts'
