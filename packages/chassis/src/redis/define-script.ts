import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'

export type ScriptArgument = string | number | Buffer

export interface ScriptDefinition {
  name: string
  lua: string
  /**
   * All keys of one script share a hash tag, so that it also runs on Redis Cluster (D21). `any`: it
   * takes a list of keys.
   */
  numberOfKeys: number | 'any'
}

export interface Script {
  readonly name: string
  run(keys: readonly string[], args: readonly ScriptArgument[]): Promise<unknown>
  /** The same with bulk replies as Buffers. */
  runBuffer(keys: readonly string[], args: readonly ScriptArgument[]): Promise<unknown>
}

/** Runs by digest and sends the text only when the server does not know it (first use, restart). */
export function defineScript(redis: Redis, definition: ScriptDefinition): Script {
  const { name, lua, numberOfKeys } = definition
  const digest = createHash('sha1').update(lua).digest('hex')
  type Send = (command: string, args: ScriptArgument[]) => Promise<unknown>
  const execute = async (send: Send, keys: readonly string[], args: readonly ScriptArgument[]) => {
    if (numberOfKeys !== 'any' && keys.length !== numberOfKeys) {
      throw new TypeError(`script ${name} takes ${numberOfKeys} keys, got ${keys.length}`)
    }
    const rest = [keys.length, ...keys, ...args]
    try {
      return await send('EVALSHA', [digest, ...rest])
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return await send('EVAL', [lua, ...rest])
    }
  }
  const asText: Send = (command, args) => redis.call(command, args)
  const asBuffer: Send = (command, args) => redis.callBuffer(command, args)
  return {
    name,
    run: (keys, args) => execute(asText, keys, args),
    runBuffer: (keys, args) => execute(asBuffer, keys, args),
  }
}
