-- The health of endpoints as codes, and deliveries that were given up without a last attempt.

-- Why an endpoint is off is a code; the sentence is made from it.
UPDATE webhook_endpoints SET disabled_reason = CASE disabled_reason
  WHEN 'The receiver answered 410 Gone.' THEN 'gone'
  WHEN 'The receiver has acknowledged nothing for five days.' THEN 'failing_for_days'
  WHEN 'Its owner’s account was suspended.' THEN 'account_suspended'
  ELSE 'switched_off' END
WHERE disabled_reason IS NOT NULL;

-- When its owner was told that it has been failing for a day; null where they were not.
ALTER TABLE webhook_endpoints ADD COLUMN told_at INTEGER;

-- Why it failed without all of its attempts, as a code; null for one that had them.
ALTER TABLE deliveries ADD COLUMN given_up TEXT;
