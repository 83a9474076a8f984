drop table if exists :schema.note_counts;
drop table if exists :schema.notes;
