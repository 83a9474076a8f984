/** A step that did not end as expected: the demo stops with this message. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure'
}

export function expectThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new DemoFailure(message)
}
