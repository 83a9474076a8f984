drop table if exists :schema.offline_intent_verdict;
drop function if exists :schema.keep_intent_verdict();
