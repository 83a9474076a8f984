export {
  CLIENT_FILE,
  clientStamp,
  OPENAPI_FILE,
  renderDocuments,
  SCHEMA_FILE,
} from './render-documents.ts'
