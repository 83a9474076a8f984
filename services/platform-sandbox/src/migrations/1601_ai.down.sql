drop table if exists :schema.ai_source;
drop table if exists :schema.ai_history;
drop table if exists :schema.ai_decision;
drop table if exists :schema.ai_suggestion;
