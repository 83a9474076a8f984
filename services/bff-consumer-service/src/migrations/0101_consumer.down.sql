drop table if exists :schema.bot_score_log;
drop table if exists :schema.wishlist_anonymous;
drop table if exists :schema.handoff_replay_log;
