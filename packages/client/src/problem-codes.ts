/**
 * The problem codes that the document lists for an operation. Problems that every operation can
 * have, such as an internal error, are not listed.
 *
 * @example ProblemCodeOf<paths, '/bff/consumer/v1/handoff/{tenantId}/{propertyId}', 'post'>
 */
export type ProblemCodeOf<
  Paths,
  Path extends keyof Paths,
  Method extends keyof Paths[Path],
> = Paths[Path][Method] extends { responses: infer Responses }
  ? ListedCode<Responses[keyof Responses]>
  : never

type ListedCode<Response> = Response extends {
  content: { 'application/problem+json': { code?: infer Code } }
}
  ? Narrow<Code>
  : never

/** The general response has any code. */
type Narrow<Code> = Code extends string ? (string extends Code ? never : Code) : never
