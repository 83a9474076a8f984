revoke update (scenario) on :schema.pricing_quote from :app;
