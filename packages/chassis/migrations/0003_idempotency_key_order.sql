-- Keys begin with the caller's digest, so a lookup by key alone is a range of the unique index; that
-- needs byte order whatever the database's collation. Rebuilds the index under an exclusive lock:
-- the table holds keys of one day. Versions before and after work with either. Re-runnable.
alter table :schema.idempotency alter column key type text collate "C";
