drop table if exists :schema.ai_decision_effect;
