export { clientStamp } from './client-stamp.ts'
export {
  CLIENT_FILE,
  OPENAPI_FILE,
  renderDocuments,
  SCHEMA_FILE,
} from './render-documents.ts'
