drop table if exists :schema.outbox_archive;
