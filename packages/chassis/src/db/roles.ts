export interface RoleNames {
  /** Owns the tables and migrates them. */
  readonly owner: string
  /** Serves requests: no ownership, no way around row-level security. */
  readonly app: string
  /** Relay and jobs: all tenants, but only the tables granted to it. */
  readonly relay: string
}

export function roleNames(schema: string): RoleNames {
  return { owner: `${schema}_owner`, app: `${schema}_app`, relay: `${schema}_relay` }
}

/** Schema and role names are put into DDL as they are, so they may hold nothing to quote. */
export function assertSchemaName(schema: string): void {
  if (!/^[a-z][a-z0-9_]{0,54}$/.test(schema)) {
    throw new TypeError(`schema name ${JSON.stringify(schema)} is not lower_snake_case`)
  }
}
