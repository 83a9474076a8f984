-- Quotes of a magic promotion code remember that their re-check has shown another price.
-- Re-runnable.
grant update (scenario) on :schema.pricing_quote to :app;
