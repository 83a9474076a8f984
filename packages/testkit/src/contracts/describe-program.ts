/** The text of a module that renders the OpenAPI document of the `service` another one exports. */
export function describeProgram(serviceModule: URL): string {
  return `import { serviceContracts } from '${import.meta.resolve('@melmastoon/chassis/service')}'
    import { service } from '${serviceModule.href}'
    await serviceContracts(service).openApi()`
}
