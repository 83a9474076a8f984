export { type Catalogue, type CatalogueTable, readCatalogue } from './catalogue.ts'
export { compareTables } from './compare-tables.ts'
export { dumpSchema } from './dump-schema.ts'
export {
  type TenancyFinding,
  type TenancyOptions,
  tenancyFindings,
  tenantTablesOf,
} from './tenancy-findings.ts'
