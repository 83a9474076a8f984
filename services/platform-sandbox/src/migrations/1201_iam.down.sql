drop table if exists :schema.iam_mfa_challenge;
drop table if exists :schema.iam_token_family;
drop table if exists :schema.iam_device;
drop table if exists :schema.iam_credential;
drop table if exists :schema.iam_sign_in_failure;
drop table if exists :schema.iam_signing_key;
