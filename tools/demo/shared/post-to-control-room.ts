import { DemoFailure } from './demo-failure.ts'

/** Causes something in the sandbox, as its control room does. */
export async function postToControlRoom(
  sandboxUrl: string,
  path: string,
  body: object = {},
): Promise<void> {
  const response = await fetch(new URL(`/admin/api/${path}`, sandboxUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new DemoFailure(`${path}: ${response.status} ${await response.text()}`)
}
